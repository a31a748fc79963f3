import type { SupportContact } from '@florin/contract';
import { type Html, html, htmlText } from './html/html.ts';
import { formatDateTime, formatMoney } from './language/format.ts';
import { supportWays } from './parts/support.ts';
import type { ReceiptMail } from './render-receipt-mail.ts';

export type LinkMail = {
  readonly merchantName: string;
  readonly isSandbox: boolean;
  /** Two decimals. */
  readonly amount: string;
  readonly orderId: string;
  readonly notes: string | null;
  /** What the member writes to the payer; may be empty. */
  readonly note: string;
  readonly address: string;
  readonly expiresAt: string;
  readonly support: SupportContact;
};

const controls = /\p{Cc}+/gu;
const sandbox = 'Sandbox: no real money moves.';

/** A request to pay, as a mail. English: the business wrote it, and the page has the payer's language. */
export const renderLinkMail = (mail: LinkMail): ReceiptMail => {
  const amount = formatMoney('en', mail.amount);
  return {
    subject: `${mail.merchantName} requests ${amount}`.replace(controls, ' '),
    text: plainLines(mail, amount),
    html: `<!doctype html>\n${htmlText(richLines(mail, amount))}\n`,
  };
};

const factsOf = (mail: LinkMail): readonly (readonly [string, string])[] => [
  ['Order', mail.orderId],
  ...(mail.notes ? [['For', mail.notes] as const] : []),
  ['Can be paid until', formatDateTime('en', mail.expiresAt)],
];

const why = ({ merchantName }: LinkMail): string =>
  `You get this mail because ${merchantName} sent it to you. If you do not know them, ignore it.`;

const plainLines = (mail: LinkMail, amount: string): string => {
  const ways = supportWays(mail.support).map(({ text }) => text);
  return [
    ...(mail.isSandbox ? [sandbox, ''] : []),
    `${mail.merchantName} requests a payment of ${amount}.`,
    '',
    ...(mail.note ? [mail.note, ''] : []),
    ...factsOf(mail).map(([label, value]) => `${label}: ${value}`),
    '',
    `Pay here: ${mail.address}`,
    '',
    ...(ways.length > 0 ? [`Contact ${mail.merchantName}:`, ...ways, ''] : []),
    why(mail),
    '',
  ].join('\n');
};

const buttonStyle =
  'display:inline-block;padding:12px 24px;border-radius:6px;background:#2447d6;color:#ffffff;' +
  'text-decoration:none';
const cell = 'padding:8px 0;border-top:1px solid #dfe4ec';

const row = ([label, value]: readonly [string, string]): Html =>
  html`
    <tr>
      <th scope="row" style="${cell};color:#4c5668;font-weight:400;text-align:start">${label}</th>
      <td style="${cell};padding-inline-start:16px;text-align:end">${value}</td>
    </tr>
  `;

const richSupport = ({ merchantName, support }: LinkMail): Html | null => {
  const ways = supportWays(support);
  if (ways.length === 0) return null;
  return html`
    <p style="margin:16px 0 0;font-size:15px">
      Contact ${merchantName}:
      ${ways.map(
        ({ address, text }) =>
          html`<br><a href="${address}" style="color:#2447d6"><bdi dir="ltr">${text}</bdi></a>`,
      )}
    </p>
  `;
};

/** Mail programs support neither style sheets nor scripts: every style is inline. */
const richLines = (mail: LinkMail, amount: string): Html => html`<html lang="en" dir="ltr">
<head><meta charset="utf-8"><title>Payment request</title></head>
<body style="margin:0;padding:24px 16px;background:#f4f6f9;color:#121826;font:16px/1.5 sans-serif">
<div style="max-width:480px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dfe4ec">
${
  mail.isSandbox &&
  html`<p style="margin:0 0 16px;padding:10px;background:#ffcf4a;color:#231a00">${sandbox}</p>`
}
<h1 style="margin:0 0 4px;font-size:18px">${mail.merchantName}</h1>
<p style="margin:0;color:#4c5668">requests a payment of</p>
<p style="margin:8px 0 16px;font-size:32px;font-weight:700">${amount}</p>
${mail.note !== '' && html`<p style="margin:0 0 16px;white-space:pre-line">${mail.note}</p>`}
<p style="margin:0 0 16px"><a href="${mail.address}" style="${buttonStyle}">Pay ${amount}</a></p>
<table style="width:100%;border-collapse:collapse;font-size:15px">${factsOf(mail).map(row)}</table>
${richSupport(mail)}
<p style="margin:16px 0 0;color:#4c5668;font-size:13px">${why(mail)}</p>
</div>
</body>
</html>`;

import type { CheckoutView } from '@florin/contract';
import { type Html, html, htmlText, plainText } from './html/html.ts';
import { formatMoney } from './language/format.ts';
import { directionOf } from './language/locales.ts';
import type { Fact } from './parts/amounts/summary-card.ts';
import { createPage, type Page } from './parts/page.ts';
import { receiptFacts } from './parts/receipt.ts';
import { supportWays } from './parts/support.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

export type ReceiptMail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

type Lines = { readonly amount: string; readonly facts: readonly Exclude<Fact, null | false>[] };

const controls = /\p{Cc}+/gu;

/** The receipt of a paid page as a mail, in the language of that page. */
export const renderReceiptMail = (view: View): ReceiptMail => {
  const page = createPage({ ...view, returnTo: null });
  const { words, frame, summary } = page;
  const amount = formatMoney(words.locale, summary.totalAmount);
  const facts = receiptFacts(page, view).filter((fact) => fact !== null && fact !== false);
  const subject = words.plain('receiptSubject', { amount, merchant: frame.merchantName });
  return {
    subject: subject.replace(controls, ' '),
    text: plainLines(page, { amount, facts }),
    html: `<!doctype html>\n${htmlText(richLines(page, { amount, facts }))}\n`,
  };
};

const plainLines = (page: Page, { amount, facts }: Lines): string => {
  const { words, frame } = page;
  return [
    ...(frame.environment === 'SANDBOX'
      ? [`${words.plain('sandboxTitle')}. ${words.plain('sandboxText')}`, '']
      : []),
    words.plain('paidText', { amount, payee: frame.merchantName }),
    '',
    ...facts.map(({ label, value }) => {
      const text = typeof value === 'string' ? value : plainText(value);
      return `${plainText(label)}: ${text}`;
    }),
    '',
    ...plainSupport(page),
    words.plain('receiptWhy', { merchant: frame.merchantName }),
    '',
  ].join('\n');
};

const plainSupport = ({ words, frame }: Page): readonly string[] => {
  const ways = supportWays(frame.support);
  if (ways.length === 0) return [];
  const title = words.plain('support', { merchant: frame.merchantName });
  return [title, ...ways.map(({ text }) => text), ''];
};

const cell = 'padding:8px 0;border-top:1px solid #dfe4ec';
const labelStyle = `${cell};color:#4c5668;font-weight:400;text-align:start`;
const valueStyle = `${cell};padding-inline-start:16px;text-align:end`;

const row = ({ label, value }: Lines['facts'][number]): Html =>
  html`
    <tr>
      <th scope="row" style="${labelStyle}">${label}</th>
      <td style="${valueStyle}">${value}</td>
    </tr>
  `;

const sandboxLine = ({ words }: Page): Html =>
  html`
    <p style="margin:0 0 16px;padding:10px;background:#ffcf4a;color:#231a00">
      <strong>${words.say('sandboxTitle')}</strong> ${words.say('sandboxText')}
    </p>
  `;

const richSupport = ({ words, frame }: Page): Html | null => {
  const ways = supportWays(frame.support);
  if (ways.length === 0) return null;
  return html`
    <p style="margin:16px 0 0;font-size:15px">
      ${words.say('support', { merchant: frame.merchantName })}
      ${ways.map(
        ({ address, text }) =>
          html`<br><a href="${address}" style="color:#2447d6"><bdi dir="ltr">${text}</bdi></a>`,
      )}
    </p>
  `;
};

/** Mail programs support neither style sheets nor scripts: every style is inline. */
const richLines = (page: Page, { amount, facts }: Lines): Html => {
  const { words, frame } = page;
  return html`<html lang="${words.locale}" dir="${directionOf(words.locale)}">
<head><meta charset="utf-8"><title>${words.say('receipt')}</title></head>
<body style="margin:0;padding:24px 16px;background:#f4f6f9;color:#121826;font:16px/1.5 sans-serif">
<div style="max-width:480px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dfe4ec">
${frame.environment === 'SANDBOX' && sandboxLine(page)}
<h1 style="margin:0 0 4px;font-size:18px">${frame.merchantName}</h1>
<p style="margin:0;color:#4c5668">${words.say('receipt')}</p>
<p style="margin:8px 0 16px;font-size:32px;font-weight:700">${amount}</p>
<table style="width:100%;border-collapse:collapse;font-size:15px">${facts.map(row)}</table>
${richSupport(page)}
<p style="margin:16px 0 0;color:#4c5668;font-size:13px">
${words.say('receiptWhy', { merchant: frame.merchantName })}
</p>
</div>
</body>
</html>`;
};

import type { SupportContact } from '@florin/contract';
import { type Html, html, htmlText } from '../html/html.ts';
import { directionOf, type Locale } from '../language/locales.ts';
import { supportWays } from './support.ts';

/** A mail to a payer. */
export type PayerMail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

type MailParts = {
  readonly locale: Locale;
  readonly title: Html | string;
  /** Where nothing is real. */
  readonly sandbox: Html | false;
  /** The merchant's logo as every mail program draws it: a PNG of one size. */
  readonly logoUrl?: string | null;
  readonly accentColour?: string | null;
  readonly heading: Html | string;
  /** Between it and the amount. */
  readonly says?: Html | string | null;
  readonly amount: string;
  /** Between the amount and the facts. */
  readonly body?: Html;
  readonly facts: readonly MailFact[];
  readonly items?: { readonly title: Html; readonly facts: readonly MailFact[] } | null;
  /** Below the items: the parts of the amount, and the amount. */
  readonly amounts?: readonly MailFact[];
  /** One button, to where the same can be read again. */
  readonly link?: { readonly label: Html; readonly address: string };
  readonly note?: { readonly title: string; readonly text: string } | null;
  readonly support: Support;
  readonly why: Html | string;
};

type MailFact = {
  readonly label: Html | string;
  readonly value: Html | string;
  /** The sum of those above. */
  readonly isTotal?: boolean;
};

/** Whom a payer asks, after words that say so. */
type Support = { readonly title: Html | string; readonly contact: SupportContact | undefined };

const controls = /\p{Cc}+/gu;

export const mailSubject = (text: string): string => text.replace(controls, ' ');

export const plainSupport = (title: string, contact: SupportContact | undefined) => {
  const ways = supportWays(contact);
  return ways.length === 0 ? [] : [title, ...ways.map(({ text }) => text), ''];
};

const cell = 'padding:8px 0;border-top:1px solid #dfe4ec';
const labelStyle = `${cell};color:#4c5668;font-weight:400;text-align:start;vertical-align:top`;
const valueStyle = `${cell};padding-inline-start:16px;text-align:end;word-break:break-word`;
/** A price is whole: the name beside it breaks. */
const priceStyle = `${valueStyle};white-space:nowrap`;

const totalStyle = ';border-top-color:#7d8797;color:#121826;font-weight:700';

const sheetStyle =
  'max-width:480px;margin:0 auto;padding:24px 20px;background:#ffffff;border:1px solid #dfe4ec;' +
  'border-radius:12px;' +
  'overflow-wrap:break-word';

const typeface = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif";

const table = (facts: readonly MailFact[], values = valueStyle): Html => {
  const row = ({ label, value, isTotal }: MailFact): Html =>
    html`
      <tr>
        <th scope="row" style="${labelStyle}${isTotal && totalStyle}">${label}</th>
        <td style="${values}${isTotal && totalStyle}">${value}</td>
      </tr>
    `;
  return html`
    <table style="width:100%;border-collapse:collapse;font-size:14px">${facts.map(row)}</table>
  `;
};

const titleStyle = 'margin:16px 0 4px;font-size:15px';

const richSupport = ({ title, contact }: Support): Html | null => {
  const ways = supportWays(contact);
  if (ways.length === 0) return null;
  return html`
    <p style="margin:16px 0 0;font-size:15px">
      ${title}
      ${ways.map(
        ({ address, text }) =>
          html`<br><a href="${address}" style="color:#2a3a63"><bdi dir="ltr">${text}</bdi></a>`,
      )}
    </p>
  `;
};

const ink = '#121826';

const button = ({ label, address }: { label: Html; address: string }, colour: string): Html => {
  const style =
    `display:block;padding:11px 16px;border:1px solid ${colour};border-radius:12px;` +
    `color:${colour};font-weight:600;text-align:center;text-decoration:none`;
  return html`
    <p style="margin:20px 0 0">
      <a href="${address}" style="${style}">${label}</a>
    </p>
  `;
};

/** Mail programs support neither style sheets nor scripts: every style is inline. */
export const mailDocument = (mail: MailParts): string => {
  const page = html`<html lang="${mail.locale}" dir="${directionOf(mail.locale)}">
<head><meta charset="utf-8"><title>${mail.title}</title></head>
<body style="margin:0;padding:24px 8px;background:#f4f6f9;color:#121826;font:16px/1.5 ${typeface}">
<div style="${sheetStyle}${mail.accentColour && `;border-top:4px solid ${mail.accentColour}`}">
${
  mail.sandbox &&
  html`<p style="margin:0 0 16px;padding:10px;background:#ffcf4a;color:#231a00">${mail.sandbox}</p>`
}
${
  mail.logoUrl &&
  html`<img src="${mail.logoUrl}" alt="" width="128" height="44" style="display:block;margin:0 0 12px">`
}
<h1 style="margin:0 0 4px;font-size:18px">${mail.heading}</h1>
${mail.says && html`<p style="margin:0;color:#4c5668">${mail.says}</p>`}
<p style="margin:8px 0 16px;font-size:32px;font-weight:700">${mail.amount}</p>
${mail.body}
${table(mail.facts)}
${
  mail.items &&
  html`<h2 style="${titleStyle}">${mail.items.title}</h2>${table(mail.items.facts, priceStyle)}`
}
${mail.amounts && table(mail.amounts, priceStyle)}
${
  mail.note &&
  html`<h2 style="${titleStyle}">${mail.note.title}</h2>
<p style="margin:0;font-size:15px;white-space:pre-line">${mail.note.text}</p>`
}
${mail.link && button(mail.link, mail.accentColour ?? ink)}
${richSupport(mail.support)}
<p style="margin:16px 0 0;color:#4c5668;font-size:13px">${mail.why}</p>
</div>
</body>
</html>`;
  return `<!doctype html>\n${htmlText(page)}\n`;
};

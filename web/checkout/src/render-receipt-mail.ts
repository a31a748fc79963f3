import type { CheckoutView } from '@florin/contract';
import { type Html, html } from './html/html.ts';
import type { Fact } from './parts/amounts/fact-list.ts';
import { receiptItems } from './parts/amounts/line-items.ts';
import { mailDocument, mailSubject, type PayerMail, plainSupport } from './parts/mail.ts';
import { createPage, type Page } from './parts/page.ts';
import { receiptAmounts, receiptFacts } from './parts/receipt.ts';
import { receiptSheet, type SheetLine } from './receipt-sheet.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

/** The receipt of a paid page as a mail, in the language of that page. */
export const renderReceiptMail = (view: View, publicUrl: string): PayerMail => {
  const page = createPage({ ...view, returnTo: null });
  const { words, frame } = page;
  const { merchantName, support } = frame;
  const merchant = { merchant: merchantName };
  const sheet = receiptSheet(view, page);
  const { amount, note } = sheet;
  const items = receiptItems(page);
  return {
    subject: mailSubject(words.plain('receiptSubject', { amount, ...merchant })),
    text: [
      ...(sheet.sandbox ? [sheet.sandbox, ''] : []),
      words.plain('paidText', { amount, payee: merchantName }),
      '',
      ...sheet.facts.map(lineText),
      '',
      ...(sheet.items ? [sheet.items.title, ...sheet.items.lines.map(lineText), ''] : []),
      ...sheet.amounts.map(lineText),
      '',
      ...(note ? [note.title, note.text, ''] : []),
      `${words.plain('viewReceipt')}: ${receiptAddress(page, view, publicUrl)}`,
      '',
      ...plainSupport(words.plain('support', merchant), support),
      words.plain('receiptWhy', merchant),
      '',
    ].join('\n'),
    html: mailDocument({
      locale: words.locale,
      title: words.say('receipt'),
      sandbox:
        sheet.sandbox !== null &&
        html`<strong>${words.say('sandboxTitle')}</strong> ${words.say('sandboxText')}`,
      logoUrl: mailLogo(frame, publicUrl),
      accentColour: sheet.accentColour,
      heading: words.say('receiptFrom', merchant),
      says: sheet.place,
      amount,
      body: html`<p style="margin:0 0 16px;color:#0b6b3f;font-weight:600">${sheet.outcome}</p>`,
      facts: said(receiptFacts(page, view)),
      amounts: said(receiptAmounts(page)),
      link: { label: words.say('viewReceipt'), address: receiptAddress(page, view, publicUrl) },
      items: items.length > 0 ? { title: words.say('items'), facts: items } : null,
      note,
      support: { title: words.say('support', merchant), contact: support },
      why: html`${words.say('receiptWhy', merchant)}<br>${carrier(page, publicUrl)}`,
    }),
  };
};

/** The address of the paid page that names the payment, and so shows the receipt (PAGE-11). */
const receiptAddress = ({ addressOf }: Page, { attempt }: View, publicUrl: string): string =>
  `${publicUrl}${addressOf({ payment: attempt.paymentIdempotencyId, stay: '1' })}`;

/** Who carried the payment, what it says of itself, and where it is. */
const carrier = ({ words, frame }: Page, publicUrl: string): Html => html`
  ${words.say('serviceBy', { operator: frame.operatorName })}${
    frame.operatorStatus && html`. <bdi>${frame.operatorStatus}</bdi>`
  }. <a href="${frame.termsUrl ?? publicUrl}" style="color:inherit"><bdi dir="ltr">${(
    frame.termsUrl ?? publicUrl
  ).replace(/^https?:\/\//, '')}</bdi></a>
`;

const said = (facts: readonly Fact[]): readonly Exclude<Fact, null | false>[] =>
  facts.flatMap((fact) => (fact ? [fact] : []));

export const lineText = ({ label, value }: SheetLine): string => `${label}: ${value}`;

/** Only from our own server, which draws it for mails. */
export const mailLogo = ({ avatarUrl }: View['frame'], publicUrl: string): string | null =>
  avatarUrl?.startsWith('/merchant-logos/') ? `${publicUrl}${avatarUrl}/mail.png` : null;

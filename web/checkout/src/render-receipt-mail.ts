import type { CheckoutView } from '@florin/contract';
import { type Html, html } from './html/html.ts';
import type { Fact } from './parts/amounts/fact-list.ts';
import { receiptItems } from './parts/amounts/line-items.ts';
import { mailDocument, mailSubject, type PayerMail, plainSupport } from './parts/mail.ts';
import { createPage, type Page } from './parts/page.ts';
import { receiptAmounts, receiptFacts } from './parts/receipt.ts';
import { receiptSheet, type SheetLine } from './receipt-sheet.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

type Addresses = { readonly publicUrl: string; readonly shortUrl: string };

/** The receipt of a paid page as a mail, in the language of that page. */
export const renderReceiptMail = (view: View, addresses: Addresses): PayerMail => {
  const page = createPage({ ...view, returnTo: null });
  const { words, frame } = page;
  const { merchantName, support } = frame;
  const merchant = { merchant: merchantName };
  const sheet = receiptSheet(view, page);
  const { amount, note } = sheet;
  const address = receiptAddress(page, view, addresses);
  const place = placeOf(page, addresses);
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
      `${words.plain('viewReceipt')}: ${address}`,
      '',
      ...plainSupport(words.plain('support', merchant), support),
      words.plain('receiptWhy', merchant),
      '',
      sheet.carrier,
      withoutScheme(place),
      '',
    ].join('\n'),
    html: mailDocument({
      locale: words.locale,
      title: words.say('receipt'),
      sandbox:
        sheet.sandbox !== null &&
        html`<strong>${words.say('sandboxTitle')}.</strong> ${words.say('sandboxText')}`,
      logoUrl: mailLogo(frame, addresses.publicUrl),
      accentColour: sheet.accentColour,
      heading: words.say('receiptFrom', merchant),
      says: sheet.place,
      amount,
      body: html`
        <p style="margin:0 0 16px;color:#0b6b3f;font-weight:600">
          ${words.say('paidText', { amount, payee: merchantName })}
        </p>
      `,
      facts: said(receiptFacts(page, view)),
      amounts: said(receiptAmounts(page)),
      link: { label: words.say('viewReceipt'), address },
      items: items.length > 0 ? { title: words.say('items'), facts: items } : null,
      note,
      support: { title: words.say('support', merchant), contact: support },
      why: html`${words.say('receiptWhy', merchant)}<br><br>${carrier(sheet.carrier, place)}`,
    }),
  };
};

/** The short one of the payment, which names this part of it, and so shows the receipt (PAGE-11). */
const receiptAddress = ({ words }: Page, { attempt }: View, { shortUrl }: Addresses): string =>
  `${shortUrl}?${new URLSearchParams({
    payment: attempt.paymentIdempotencyId,
    locale: words.locale,
  })}`;

/** Where who carried the payment says more of itself. */
const placeOf = ({ frame }: Page, { publicUrl }: Addresses): string => frame.termsUrl ?? publicUrl;

const withoutScheme = (address: string): string => address.replace(/^https?:\/\//, '');

const carrier = (text: string, place: string): Html => html`
  <bdi>${text}</bdi><br>
  <a href="${place}" style="color:inherit"><bdi dir="ltr">${withoutScheme(place)}</bdi></a>
`;

const said = (facts: readonly Fact[]): readonly Exclude<Fact, null | false>[] =>
  facts.flatMap((fact) => (fact ? [fact] : []));

export const lineText = ({ label, value }: SheetLine): string => `${label}: ${value}`;

/** Only from our own server, which draws it for mails. */
export const mailLogo = ({ avatarUrl }: View['frame'], publicUrl: string): string | null =>
  avatarUrl?.startsWith('/merchant-logos/') ? `${publicUrl}${avatarUrl}/mail.png` : null;

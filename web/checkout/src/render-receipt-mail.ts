import type { CheckoutView } from '@florin/contract';
import { type Html, html } from './html/html.ts';
import type { Fact } from './parts/amounts/fact-list.ts';
import { itemFacts } from './parts/amounts/line-items.ts';
import { mailDocument, mailSubject, type PayerMail, plainSupport } from './parts/mail.ts';
import { createPage } from './parts/page.ts';
import { receiptFacts } from './parts/receipt.ts';
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
  const items = said(itemFacts(page));
  return {
    subject: mailSubject(words.plain('receiptSubject', { amount, ...merchant })),
    text: [
      ...(sheet.sandbox ? [sheet.sandbox, ''] : []),
      words.plain('paidText', { amount, payee: merchantName }),
      '',
      ...sheet.facts.map(lineText),
      '',
      ...(sheet.items ? [sheet.items.title, ...sheet.items.lines.map(lineText), ''] : []),
      ...(note ? [note.title, note.text, ''] : []),
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
      merchantName,
      says: words.say('receipt'),
      amount,
      facts: said(receiptFacts(page, view)),
      items: items.length > 0 ? { title: words.say('items'), facts: items } : null,
      note,
      support: { title: words.say('support', merchant), contact: support },
      why: words.say('receiptWhy', merchant),
    }),
  };
};

type SaidFact = { readonly label: Html; readonly value: Html | string };

const said = (facts: readonly Fact[]): readonly SaidFact[] =>
  facts.flatMap((fact) => (fact ? [fact] : []));

export const lineText = ({ label, value }: SheetLine): string => `${label}: ${value}`;

/** Only from our own server, which draws it for mails. */
export const mailLogo = ({ avatarUrl }: View['frame'], publicUrl: string): string | null =>
  avatarUrl?.startsWith('/merchant-logos/') ? `${publicUrl}${avatarUrl}/mail.png` : null;

import type { CheckoutView } from '@florin/contract';
import { type Html, html, plainText } from './html/html.ts';
import { formatMoney } from './language/format.ts';
import type { Fact } from './parts/amounts/fact-list.ts';
import { itemFacts, noteTitle } from './parts/amounts/line-items.ts';
import { mailDocument, mailSubject, type PayerMail, plainSupport } from './parts/mail.ts';
import { createPage } from './parts/page.ts';
import { receiptFacts } from './parts/receipt.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

/** The receipt of a paid page as a mail, in the language of that page. */
export const renderReceiptMail = (view: View, publicUrl: string): PayerMail => {
  const page = createPage({ ...view, returnTo: null });
  const { words, frame, summary } = page;
  const { merchantName, support } = frame;
  const merchant = { merchant: merchantName };
  const isSandbox = frame.environment === 'SANDBOX';
  const amount = formatMoney(words.locale, summary.totalAmount);
  const facts = said(receiptFacts(page, view));
  const items = said(itemFacts(page));
  const note = summary.payerNote ? { title: noteTitle(page), text: summary.payerNote } : null;
  return {
    subject: mailSubject(words.plain('receiptSubject', { amount, ...merchant })),
    text: [
      ...(isSandbox ? [`${words.plain('sandboxTitle')}. ${words.plain('sandboxText')}`, ''] : []),
      words.plain('paidText', { amount, payee: merchantName }),
      '',
      ...facts.map(plainFact),
      '',
      ...(items.length > 0 ? [words.plain('items'), ...items.map(plainFact), ''] : []),
      ...(note ? [plainText(note.title), note.text, ''] : []),
      ...plainSupport(words.plain('support', merchant), support),
      words.plain('receiptWhy', merchant),
      '',
    ].join('\n'),
    html: mailDocument({
      locale: words.locale,
      title: words.say('receipt'),
      sandbox:
        isSandbox &&
        html`<strong>${words.say('sandboxTitle')}</strong> ${words.say('sandboxText')}`,
      logoUrl: mailLogo(frame, publicUrl),
      merchantName,
      says: words.say('receipt'),
      amount,
      facts,
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

const plainFact = ({ label, value }: SaidFact): string =>
  `${plainText(label)}: ${typeof value === 'string' ? value : plainText(value)}`;

/** Only from our own server, which draws it for mails. */
const mailLogo = ({ avatarUrl }: View['frame'], publicUrl: string): string | null =>
  avatarUrl?.startsWith('/merchant-logos/') ? `${publicUrl}${avatarUrl}/mail.png` : null;

import type { CheckoutReceiptMail, CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime, formatMoney } from '../language/format.ts';
import type { Words } from '../language/words.ts';
import { type Fact, factList } from './amounts/fact-list.ts';
import { longNote, openLines, receiptItems } from './amounts/line-items.ts';
import { allAmountFacts, statementFacts } from './amounts/summary-card.ts';
import { icons } from './icons.ts';
import { note } from './note.ts';
import type { Page } from './page.ts';
import { paidWith } from './payment-method.ts';
import { contactLine } from './support.ts';
import { hiddenFields } from './timer.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

export const receipt = (page: Page, view: View): Html => html`
  <section class="receipt" aria-labelledby="receipt">
    <h2 id="receipt">${page.words.say('receiptFrom', { merchant: page.frame.merchantName })}</h2>
    ${seller(page)}
    ${openLines(page, receiptItems(page))}
    ${factList(receiptAmounts(page))}
    ${factList(receiptFacts(page, view))}
    ${longNote(page)}
  </section>
`;

/** Its address stands in the header. */
const seller = ({ frame }: Page): Html | null => {
  const contact = contactLine(frame);
  return contact && html`<div class="seller">${contact}</div>`;
};

const shortIdCharacters = 13;

/** Short enough to be read aloud; the merchant's search finds the payment by it (STATUS-6). */
export const shortId = ({ frame }: Page): string =>
  frame.paymentRequestId.slice(0, shortIdCharacters);

export const paymentIdFact = (page: Page): Exclude<Fact, null | false> => ({
  label: page.words.say('paymentId'),
  value: html`<code>${shortId(page)}</code>`,
});

/** What the payer knows of the order, where somebody is asked about it. */
export const referenceBox = ({ words, summary }: Page): Html =>
  toldBox(words, words.say('reference'), summary.reference);

/** What a payer tells somebody who helps, with a button that copies it. */
export const toldBox = (words: Words, label: Html, id: string): Html => html`
  <p class="link boxed">
    <span>${label} <code dir="ltr">${id}</code></span>
    <button type="button" class="quiet scripted" data-copy="${id}"
      data-copied="${words.plain('copied')}">
      ${words.say('copy')}
    </button>
    <span class="unseen" role="status"></span>
  </p>
`;

/** What, when and how: the first lines of a receipt on the page, in the mail and in the file. */
export const receiptFacts = (page: Page, view: View): readonly Fact[] => {
  const { words } = page;
  return [
    paymentIdFact(page),
    ...statementFacts(page),
    view.paidAt !== null && {
      label: words.say('date'),
      value: html`<time datetime="${view.paidAt}">${formatDateTime(words.locale, view.paidAt)}</time>`,
    },
    { label: words.say('paidWith'), value: paidWith(page, view.attempt) },
  ];
};

/** The last lines: below what was paid for, its sum and the tip, then all that was paid. */
export const receiptAmounts = (page: Page): readonly Fact[] => [
  ...allAmountFacts(page),
  {
    label: page.words.say('amountPaid'),
    value: formatMoney(page.words.locale, page.summary.totalAmount),
    isTotal: true,
  },
];

/** A form for the address, or the state of the request. */
export const emailReceipt = (page: Page, view: View): Html | null => {
  const { receiptMail: mail, attempt, returnInSeconds } = view;
  if (!mail || returnInSeconds !== null) return null;
  const { words } = page;
  if (mail.state === 'ASKED') return receiptState(requested(page, mail.isCaught));
  if (mail.state === 'TOO_OFTEN')
    return receiptState(note('calm', words.say('receiptOften'), null));
  const fields = [
    ...page.fields,
    ['payment', attempt.paymentIdempotencyId],
    ['formToken', mail.formToken],
  ] as const;
  return html`
    <form class="email-receipt" method="post" action="/pay/receipt"
      novalidate${mail.state === 'OPEN' && html` data-on-demand`}>
      ${hiddenFields(fields)}
      ${field(page, mail)}
      <button class="quiet">${icons.mail}<span>${words.say('emailReceipt')}</span></button>
    </form>
  `;
};

/** Opens the form. A page that is about to return to the shop has none: the link reloads it, to stay. */
export const emailLink = (page: Page, view: View): Html | null => {
  if (view.receiptMail?.state !== 'OPEN') return null;
  const payment = view.attempt.paymentIdempotencyId;
  const address = view.returnInSeconds === null ? '' : page.addressOf({ payment, stay: '1' });
  return html`
    <a class="quiet" href="${address}#email">
      ${icons.mail}
      <span>${page.words.say('emailReceipt')}</span>
    </a>
  `;
};

/** A test sends nothing: the mail is kept where the merchant's developer can read it. */
const requested = ({ words, frame }: Page, isCaught = false): Html =>
  frame.environment === 'SANDBOX' && isCaught
    ? note('good', words.say('receiptTest'), html`<code>GET /api/payments/receipt-mails</code>`)
    : note('good', words.say('receiptRequested'), null);

const field = ({ words }: Page, { state, email }: CheckoutReceiptMail): Html => {
  const isWrong = state === 'WRONG_ADDRESS';
  const described = isWrong ? 'email-wrong email-hint' : 'email-hint';
  return html`
    <label for="email">${words.say('emailLabel')}</label>
    <p class="fine" id="email-hint">${words.say('emailHint')}</p>
    ${isWrong && html`<p class="wrong" id="email-wrong">${words.say('receiptWrong')}</p>`}
    <input id="email" name="email" type="email" dir="ltr" value="${email}" maxlength="254" required
      autocomplete="email" autocapitalize="off" spellcheck="false" enterkeyhint="send"
      aria-describedby="${described}"${isWrong && html` aria-invalid="true" autofocus`}>
  `;
};

const receiptState = (text: Html): Html =>
  html`<div class="receipt-state" role="status">${text}</div>`;

import type { CheckoutReceiptMail, CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime, formatMoney } from '../language/format.ts';
import { amountPanel } from './amounts/amount-panel.ts';
import type { Fact } from './amounts/fact-list.ts';
import { foldedItems } from './amounts/line-items.ts';
import { amountFacts, payeeFacts } from './amounts/summary-card.ts';
import { icons } from './icons.ts';
import { note } from './note.ts';
import type { Page } from './page.ts';
import { paymentMethodName } from './payment-method.ts';
import { hiddenFields } from './timer.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

export const receipt = (page: Page, view: View): Html => {
  const { words, summary } = page;
  return amountPanel({
    title: words.say('receipt'),
    said: words.say('amountPaid'),
    amount: formatMoney(words.locale, summary.totalAmount),
    facts: receiptFacts(page, view),
    more: foldedItems(page),
  });
};

const shortIdCharacters = 13;

/** Short enough to be read aloud; the merchant's search finds the payment by it (STATUS-6). */
export const paymentIdFact = ({ words, frame }: Page): Fact => ({
  label: words.say('paymentId'),
  value: html`<code>${frame.paymentRequestId.slice(0, shortIdCharacters)}</code>`,
});

/** The lines of page, paper and mail about a payment. */
export const receiptFacts = (page: Page, view: View): readonly Fact[] => {
  const { words } = page;
  return [
    ...payeeFacts(page),
    ...amountFacts(page),
    view.paidAt !== null && {
      label: words.say('date'),
      value: html`<time datetime="${view.paidAt}">${formatDateTime(words.locale, view.paidAt)}</time>`,
    },
    {
      label: words.say(view.attempt.method === 'CARD' ? 'card' : 'paidWith'),
      value: paymentMethodName(page, view.attempt),
    },
    paymentIdFact(page),
  ];
};

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
    <form class="email-receipt" id="email-receipt" method="post" action="/pay/receipt"
      novalidate>
      ${hiddenFields(fields)}
      ${field(page, mail)}
      <button class="quiet">${icons.mail}<span>${words.say('emailReceipt')}</span></button>
    </form>
  `;
};

/** A page that is about to return to the shop has no form: the link reloads it, to stay. */
export const emailLink = (page: Page, view: View): Html | null => {
  if (view.receiptMail?.state !== 'OPEN' || view.returnInSeconds === null) return null;
  const payment = view.attempt.paymentIdempotencyId;
  return html`
    <a class="quiet" href="${page.addressOf({ payment, stay: '1' })}#email-receipt">
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

import type { CheckoutView } from '@florin/contract';
import { moment, money, span } from '../format.ts';
import { type Html, html } from '../html.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/notes.ts';
import type { Page } from '../parts/page.ts';
import { type Fact, factList, isolated, payeeFacts, tipFacts } from '../parts/summary-card.ts';
import { safeAddress } from '../safe-address.ts';
import { type PageParts, still } from './page-parts.ts';
import { reasonText } from './reason.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

const paymentId = ({ words }: Page, { attempt }: View): Fact => ({
  label: words.say('paymentId'),
  value: html`<code>${attempt.paymentIdempotencyId}</code>`,
});

const receipt = (page: Page, view: View): Html => {
  const { words, summary, frame } = page;
  const facts = [
    ...payeeFacts(page),
    ...tipFacts(page),
    view.paidAt !== null && {
      label: words.say('date'),
      value: html`<time datetime="${view.paidAt}">${moment(words.locale, view.paidAt)}</time>`,
    },
    { label: words.say('paidWith'), value: isolated(view.attempt.bankName) },
    paymentId(page, view),
  ];
  return html`
    <section class="receipt" aria-labelledby="receipt">
      <h2 id="receipt">
        ${words.say('receipt')} <span class="print-only"><bdi>${frame.merchantName}</bdi></span>
      </h2>
      <p class="receipt-amount">
        <span>${words.say('amountPaid')}</span>
        <strong>${money(words.locale, summary.totalAmount)}</strong>
      </p>
      ${factList(facts)}
    </section>
  `;
};

/** With script the page counts down and can be told to stay. */
const returning = ({ words, returnTo }: Page, view: View): Html | null => {
  if (returnTo === null || view.returnInSeconds === null) return null;
  const time = span(words.locale, view.returnInSeconds);
  return html`
    <div class="returning" data-return-in="${view.returnInSeconds}">
      <p role="status">${words.say('returningIn', { host: returnTo.host, time })}</p>
      <button type="button" class="quiet scripted" data-stay>${words.say('stayHere')}</button>
    </div>
  `;
};

const paid = (page: Page, view: View): PageParts => {
  const { words, summary, returnTo } = page;
  const amount = money(words.locale, summary.totalAmount);
  const address = returnTo === null ? null : safeAddress(returnTo.url);
  const leaves = address !== null && view.returnInSeconds !== null;
  const main = html`
    <div class="single card">
      ${badge('good', icons.done)}
      ${heading(words.say('paidTitle'))}
      <p class="lead">
        ${words.say('paidText', { amount, payee: summary.payeeName })} ${words.say('nothingMore')}
      </p>
      ${receipt(page, view)}
      <div class="actions">
        ${returnLink(page, 'button')}
        <button type="button" class="quiet scripted" data-print>
          ${icons.print}
          <span>${words.say('print')}</span>
        </button>
      </div>
      ${leaves && returning(page, view)}
    </div>
  `;
  return {
    ...still,
    title: words.plain('paidTitle'),
    main,
    refresh: leaves ? { seconds: view.returnInSeconds ?? 0, address } : null,
  };
};

const moneyNotes = {
  NO: ['good', 'moneyNo'],
  YES: ['warn', 'moneyYes'],
  RETURNED: ['calm', 'moneyReturned'],
} as const;

const retry = (page: Page, { attempt, canRetry }: View): Html | null => {
  if (!canRetry) return null;
  const { words, addressOf } = page;
  const again = attempt.institutionId
    ? html`
      <a class="button" href="${addressOf({ institutionId: attempt.institutionId })}">
        <span>${words.say('tryAgainWith', { bank: attempt.bankName })}</span>
      </a>
    `
    : null;
  return html`
    ${again}
    <a class="${again === null ? 'button' : 'quiet'}" href="${addressOf({ again: '1' })}">
      <span>${words.say('tryOtherBank')}</span>
    </a>
  `;
};

const failed = (page: Page, view: View): PageParts => {
  const { words, frame, summary } = page;
  const [tone, key] = moneyNotes[view.moneyMoved];
  const warning = view.moneyMoved === 'YES' ? words.say('doNotPayAgain') : null;
  const reason = reasonText(words, view.reason, view.reasonCode ?? null);
  const facts = [
    {
      label: words.say('amountToPay'),
      value: html`<strong>${money(words.locale, summary.totalAmount)}</strong>`,
    },
    ...payeeFacts(page),
    { label: words.say('yourBank'), value: isolated(view.attempt.bankName) },
    paymentId(page, view),
  ];
  const main = html`
    <div class="single card">
      ${badge('bad', icons.failed)}
      ${heading(words.say('failedTitle'))}
      ${note(tone, words.say(key), warning)}
      ${
        reason !== null &&
        html`
        <section class="why"><h2>${words.say('whatHappened')}</h2><p>${reason}</p></section>
      `
      }
      ${
        !view.canRetry &&
        html`
        <p class="fine">${words.say('contactMerchant', { merchant: frame.merchantName })}</p>
      `
      }
      <div class="actions">${retry(page, view)}</div>
      ${factList(facts)}
    </div>
    ${returnLink(page, 'plain')}
  `;
  return { ...still, title: words.plain('failedTitle'), main };
};

export const result = (page: Page, view: View): PageParts =>
  view.outcome === 'PAID' ? paid(page, view) : failed(page, view);

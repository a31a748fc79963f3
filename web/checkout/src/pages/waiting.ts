import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime, formatMoney } from '../language/format.ts';
import { paymentPanel } from '../parts/amounts/amount-panel.ts';
import { servedBankPicture } from '../parts/bank-picture.ts';
import { icons } from '../parts/icons.ts';
import { heading, note, returnLink } from '../parts/note.ts';
import { mailLink } from '../parts/onward.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { paymentMethodName } from '../parts/payment-method.ts';
import { paymentIdFact, referenceBox, shortId } from '../parts/receipt.ts';

type View = Extract<CheckoutView, { page: 'WAITING' }>;

const texts = {
  BANK: { title: 'waitingTitle', text: 'waitingText', label: 'yourBank' },
  CARD: { title: 'cardWaitingTitle', text: 'cardWaitingText', label: 'card' },
} as const;

/** There from the start, and shown by the script when its time has come: then what is usual is not. */
const slowNote = ({ words }: Page, { isSlow, slowInSeconds = 0 }: View): Html => html`
  <div class="slow-note" role="status"${!isSlow && html` data-slow-in="${slowInSeconds}"`}>
    <div${!isSlow && html` hidden`}>
      ${note('warn', words.say('doNotPayAgain'), words.say('maybeMoving'))}
    </div>
  </div>
`;

/** Whom to ask, below what the payer waits for. */
const slowHelp = (page: Page): Html => {
  const { words, frame } = page;
  const { merchantName: merchant } = frame;
  return html`
    <details class="fold slow">
      <summary><span>${words.say('support', { merchant })}</span>${icons.more}</summary>
      <p class="fine">${words.say('contactMerchant', { merchant })}</p>
      ${referenceBox(page)}
      ${mailLink(page, shortId(page), 'plain')}
    </details>
  `;
};

/** The bank in the ring that turns for as long as it is waited for. */
const picture = ({ attempt: { institutionId } }: View): Html => html`
  <div class="at-bank" aria-hidden="true">
    <div class="ring"></div>
    ${institutionId ? servedBankPicture(institutionId) : icons.once}
  </div>
`;

/** What is done, being done and to come. Only a bank is approved at, and holds a payment for checks. */
const steps = ({ words, summary }: Page, { attempt }: View): Html => {
  const { bankName: bank, method } = attempt;
  const amount = formatMoney(words.locale, summary.totalAmount);
  return html`
    <ol class="progress">
      ${method !== 'CARD' && html`<li class="done">${words.say('approvedText', { amount })}</li>`}
      <li aria-current="step">
        <p>
          ${words.say(texts[method ?? 'BANK'].text, { bank })}${' '}
          <span class="usual">${words.say('usually')}</span>
          ${method !== 'CARD' && html`<span class="slow">${words.say('slowText')}</span>`}
        </p>
      </li>
      <li>${words.say('nextReceipt')}</li>
    </ol>
  `;
};

export const waiting = (page: Page, view: View): PageParts => {
  const { words, frame, summary } = page;
  const { attempt } = view;
  const bank = attempt.bankName;
  const said = texts[attempt.method ?? 'BANK'];
  const here = summary.splitsBill ? { payment: attempt.paymentIdempotencyId } : {};
  const about = paymentPanel(page, [
    { label: words.say(said.label), value: paymentMethodName(page, attempt) },
    { label: words.say('startedAt'), value: formatDateTime(words.locale, attempt.startedAt) },
    paymentIdFact(page),
  ]);
  const main = html`
    <div class="single card">
      ${picture(view)}
      ${heading(html`
        <span class="usual">${words.say(said.title, { bank })}</span>
        <span class="slow">${words.say('slowTitle')}</span>
      `)}
      <p class="lead" role="status">
        <span class="usual">${words.say('nothingToDo')} ${words.say('closePage')}</span>
        <span class="slow">
          ${words.say('waitingLive')}${' '}
          <a href="${page.addressOf(here)}" data-again>${words.say('checkAgain')}</a>
        </span>
      </p>
      ${slowNote(page, view)}
      ${steps(page, view)}
      ${slowHelp(page)}
      <p class="fine">
        <span class="usual">${words.say('waitingLive')}</span>
        <span class="slow">${words.say('closePage')}</span>${' '}
        ${words.say('safeToClose', { merchant: frame.merchantName })}
      </p>
      ${about}
      ${
        summary.split &&
        Number(summary.split.leftAmount) > 0 &&
        html`
        <p class="actions">
          <a class="quiet" href="${page.addressOf({ step: 'amount', again: '1' })}">
            ${words.say('payMore')}
          </a>
        </p>
      `
      }
    </div>
    ${returnLink(page, 'plain')}
  `;
  return {
    ...emptyPageParts,
    title: words.plain(said.title, { bank }),
    main,
    hasAmount: true,
    refresh: { seconds: Math.max(1, Math.round(view.refreshInSeconds)), address: null },
    here,
    followsChanges: true,
  };
};

import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime, formatMoney } from '../language/format.ts';
import { paymentPanel } from '../parts/amounts/amount-panel.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/note.ts';
import { mailLink } from '../parts/onward.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { paymentMethodName } from '../parts/payment-method.ts';
import { paymentIdBox, shortId } from '../parts/receipt.ts';

type View = Extract<CheckoutView, { page: 'WAITING' }>;

const texts = {
  BANK: { title: 'waitingTitle', text: 'waitingText', label: 'yourBank' },
  CARD: { title: 'cardWaitingTitle', text: 'cardWaitingText', label: 'card' },
} as const;

/** There from the start, and shown by the script when its time has come: then what is usual is not. */
const slowNote = (page: Page, { attempt, isSlow, slowInSeconds = 0 }: View): Html => {
  const { words, frame } = page;
  // Only a bank holds a payment for checks.
  const text =
    attempt.method === 'CARD'
      ? words.say('maybeMoving')
      : html`${words.say('maybeMoving')} ${words.say('slowText')}`;
  const mail = mailLink(page, shortId(page), 'plain');
  const whom = words.say('contactMerchant', { merchant: frame.merchantName });
  return html`
    <div class="slow-note" role="status"${!isSlow && html` data-slow-in="${slowInSeconds}"`}>
      <div${!isSlow && html` hidden`}>
        ${note('warn', words.say('doNotPayAgain'), html`${text} ${whom}`, mail)}
        ${paymentIdBox(page)}
      </div>
    </div>
  `;
};

const approved = ({ words, frame, summary }: Page): Html => {
  const amount = formatMoney(words.locale, summary.totalAmount);
  return html`${words.say('approvedText', { amount, payee: frame.merchantName })} `;
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
  ]);
  const main = html`
    <div class="single card">
      <div class="ring usual" aria-hidden="true"><i></i></div>
      <div class="slow">${badge('calm', icons.clock)}</div>
      ${heading(html`
        <span class="usual">${words.say(said.title, { bank })}</span>
        <span class="slow">${words.say('slowTitle')}</span>
      `)}
      <p class="lead" role="status">
        ${attempt.method !== 'CARD' && approved(page)}
        <span class="usual">${words.say('usually')}</span>
        <span class="slow">${words.say(said.text, { bank })}</span>
        ${' '}
        ${words.say('waitingLive')}
      </p>
      ${slowNote(page, view)}
      <p class="actions slow">
        <a class="quiet" href="${page.addressOf(here)}" data-again>${words.say('checkAgain')}</a>
      </p>
      <p class="fine">
        ${words.say('closePage')}
        ${' '}
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

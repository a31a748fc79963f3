import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime } from '../language/format.ts';
import { paymentPanel } from '../parts/amounts/amount-panel.ts';
import { heading, note, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { paymentMethodName } from '../parts/payment-method.ts';
import { paymentIdFact } from '../parts/receipt.ts';

type View = Extract<CheckoutView, { page: 'WAITING' }>;

const texts = {
  BANK: { title: 'waitingTitle', text: 'waitingText', label: 'yourBank' },
  CARD: { title: 'cardWaitingTitle', text: 'cardWaitingText', label: 'card' },
} as const;

/** There from the start, and shown by the script when its time has come. */
const slowNote = ({ words }: Page, { attempt, isSlow, slowInSeconds = 0 }: View): Html => {
  // Only a bank holds a payment for checks.
  const isBank = attempt.method !== 'CARD';
  const text = isBank && html`${words.say('slowText')} ${words.say('slowNext')}`;
  return html`
    <div role="status"${!isSlow && html` data-slow-in="${slowInSeconds}"`}>
      <div${!isSlow && html` hidden`}>
        ${note('calm', words.say('slowTitle'), text || null)}
        ${note('warn', words.say('doNotPayAgain'), words.say('maybeMoving'))}
      </div>
    </div>
  `;
};

export const waiting = (page: Page, view: View): PageParts => {
  const { words, frame, summary } = page;
  const { attempt } = view;
  const bank = attempt.bankName;
  const said = texts[attempt.method ?? 'BANK'];
  const here = summary.splitsBill ? { payment: attempt.paymentIdempotencyId } : {};
  const about = paymentPanel(page, 'amount', [
    { label: words.say(said.label), value: paymentMethodName(page, attempt) },
    { label: words.say('startedAt'), value: formatDateTime(words.locale, attempt.startedAt) },
    paymentIdFact(page),
  ]);
  const main = html`
    <div class="single card">
      <div class="ring" aria-hidden="true"><i></i></div>
      ${heading(words.say(said.title, { bank }))}
      <p class="lead" role="status">${words.say(said.text, { bank })}</p>
      ${slowNote(page, view)}
      ${about}
      ${note(
        'calm',
        words.say('waitingLive'),
        words.say('safeToClose', { merchant: frame.merchantName }),
      )}
      <p class="actions">
        <a class="quiet" href="${page.addressOf(here)}" data-again>${words.say('checkAgain')}</a>
        ${
          summary.split &&
          Number(summary.split.leftAmount) > 0 &&
          html`
          <a class="quiet" href="${page.addressOf({ step: 'amount', again: '1' })}">
            ${words.say('payMore')}
          </a>
        `
        }
      </p>
    </div>
    ${returnLink(page, 'plain')}
  `;
  return {
    ...emptyPageParts,
    title: words.plain(said.title, { bank }),
    main,
    refresh: { seconds: Math.max(1, Math.round(view.refreshInSeconds)), address: null },
    here,
    followsChanges: true,
  };
};

import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { factList, paymentFacts } from '../parts/amounts/summary-card.ts';
import { reasonText } from '../parts/attempt-notices.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { cardName } from '../parts/payment-method.ts';
import { cardFields } from '../parts/saved-cards.ts';
import { hiddenFields, moreTime } from '../parts/timer.ts';

type View = Extract<CheckoutView, { page: 'AT_CARD_PAGE' }>;

const texts = {
  CARD_PAGE: ['cardOpenTitle', 'cardOpenText', 'continueToCard'],
  STEP_UP: ['stepUpTitle', 'stepUpText', 'continueToCheck'],
} as const;

/** The payer returned from the processor without an outcome: nothing is charged yet. */
export const atCardPage = (page: Page, view: View): PageParts => {
  const { words, summary } = page;
  const [title, text] = texts[view.step];
  const failure = reasonText(words, view.lastFailure, view.lastFailureCode ?? null, 'CARD');
  const { card } = view.attempt;
  const facts = [
    ...paymentFacts(page, 'amountToPay'),
    card ? { label: words.say('card'), value: cardName(page, card) } : null,
  ];
  const main = html`
    <div class="single card">
      ${badge('calm', icons.once)}
      ${heading(words.say(title))}
      <p class="lead">${words.say(text)}</p>
      ${failure !== null && note('bad', words.say('lastFailureTitle'), failure)}
      ${forms(page, view)}
      <p class="unseen" role="status" data-leaving-said></p>
      ${factList(facts)}
      ${moreTime(page, null)}
    </div>
    ${returnLink(page, 'plain')}
  `;
  const here = summary.splitsBill ? { payment: view.attempt.paymentIdempotencyId } : {};
  return {
    ...emptyPageParts,
    title: words.plain(title),
    main,
    here,
    refresh: { seconds: 20, address: null },
    followsChanges: true,
  };
};

const forms = (page: Page, { step, attempt, formToken }: View): Html => {
  const { words, fields } = page;
  const id = attempt.paymentIdempotencyId;
  const leave = [...fields, ['formToken', formToken], ['paymentIdempotencyId', id]] as const;
  return html`
    <div class="actions">
      <form method="post" action="/pay/start" data-start>
        ${hiddenFields([...cardFields(page, { formToken }), ['resume', id]])}
        <button class="button" data-leaving="${words.plain('openingCard')}">
          <span>${words.say(texts[step][2])}</span>
        </button>
      </form>
      <form method="post" action="/pay/other-way">
        ${hiddenFields(leave)}
        <button class="quiet">${words.say('otherWay')}</button>
      </form>
    </div>
  `;
};

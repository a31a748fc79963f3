import type { CheckoutCardOffer, CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatMoney } from '../language/format.ts';
import { summaryCard } from '../parts/amounts/summary-card.ts';
import { attemptNotice } from '../parts/attempt-notices.ts';
import { cardMarks } from '../parts/card-marks.ts';
import { cardFields, expressAbove, fieldsWanted } from '../parts/express-ways.ts';
import { icons } from '../parts/icons.ts';
import { foldedSteps } from '../parts/next-steps.ts';
import { heading, note, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { methodTabs } from '../parts/payment-method.ts';
import { hiddenFields, moreTime } from '../parts/timer.ts';

type View = Extract<CheckoutView, { page: 'CHOOSE_CARD' }>;

const steps = ['nextCardEnter', 'nextCardConfirm', 'nextReturn'] as const;

const consents = {
  unscheduled: 'savesCard',
  recurring: 'savesCardRecurring',
  installment: 'savesCardInstalment',
} as const;

export const chooseCard = (page: Page, view: View): PageParts => {
  const { words } = page;
  const main = html`
    <div class="columns">
      ${summaryCard(page, moreTime(page))}
      <div class="action">
        <div class="card">
          ${attemptNotice(page, view)}
          ${view.offersBank && methodTabs(page, 'CARD', view.card)}
          ${!view.postsItself && expressAbove(page, view.card)}
          ${cardHeading(page, view.card, view.offersBank)}
          ${newCard(page, view)}
          <p class="unseen" role="status" data-leaving-said></p>
        </div>
      </div>
      <div class="aside">${returnLink(page, 'plain')}</div>
    </div>
  `;
  return {
    ...emptyPageParts,
    hasSummary: true,
    title: words.plain('payByCard'),
    main,
    here: { way: 'card', again: '1' },
    followsChanges: true,
    look: page.summary.splitsBill ? 'card' : null,
  };
};

/** The tabs above say it already, where there are any. */
export const cardHeading = (
  { words }: Page,
  offer: CheckoutCardOffer | null | undefined,
  hasTabs = false,
): Html =>
  offer && hasTabs
    ? html`<h1 class="unseen" tabindex="-1">${words.say('payByCard')}</h1>`
    : html`<div class="titled">${heading(words.say('payByCard'))}${offer && cardMarks(offer)}</div>`;

/** Paying is consent, so this is before it, with how to withdraw it. */
export const consentToSave = (
  { words, frame }: Page,
  saves: NonNullable<CheckoutCardOffer['saves']>,
): Html => {
  const merchant = frame.merchantName;
  return note(
    'calm',
    words.say(consents[saves], { merchant }),
    words.say('savesCardDelete', { merchant }),
  );
};

const accepted = ({ words }: Page, { brands = [], wallets = [] }: CheckoutCardOffer): Html =>
  html`
    ${brands.length > 0 && html`<p>${words.say('cardBrands', { brands: brands.join(', ') })}</p>`}
    ${
      wallets.length > 0 &&
      html`<p>${words.say('cardWallets', { wallets: wallets.join(', ') })}</p>`
    }
  `;

/** Nobody but the processor sees the card, which calls the payment by a name of its own. */
export const secureLine = (page: Page, offer: CheckoutCardOffer | null | undefined): Html => html`
  <p class="secure">${icons.lock}<span>${page.words.say('cardPageText')}</span></p>
  ${offer && onStatement(page, offer)}
`;

const onStatement = ({ words }: Page, { statementName }: CheckoutCardOffer): Html | null =>
  statementName
    ? html`<p class="fine">${words.say('bankShows')}: <bdi>${statementName}</bdi></p>`
    : null;

/** A card is typed into the processor's fields only. With a script this page goes on to them by itself. */
const newCard = (page: Page, { card: offer, postsItself }: View): Html => {
  const { words, summary } = page;
  const amount = formatMoney(words.locale, summary.totalAmount);
  return html`
    <section class="new-card">
      ${foldedSteps(page, 'cardPageText', steps)}
      ${offer.saves !== null && consentToSave(page, offer.saves)}
      <form
        class="start"
        method="post"
        action="/pay/start" data-start${postsItself && html` data-posts-itself`}>
        ${hiddenFields(cardFields(page, offer))}
        ${fieldsWanted(offer)}
        <p class="bar">
          <button class="button" data-leaving="${words.plain('openingCard')}">
            <span>${words.say('payAmountByCard', { amount })}</span>
          </button>
        </p>
      </form>
      <div class="fine${postsItself && html` unscripted`}">
        ${accepted(page, offer)}
        <p>${words.say('cardCheck')}</p>
        ${onStatement(page, offer)}
      </div>
    </section>
  `;
};

import type { CheckoutCardOffer, CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { summaryCard } from '../parts/amounts/summary-card.ts';
import { attemptNotices } from '../parts/attempt-notices.ts';
import { icons } from '../parts/icons.ts';
import { foldedSteps, nextSteps } from '../parts/next-steps.ts';
import { heading, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { methodTabs } from '../parts/payment-method.ts';
import { cardFields, fieldsWanted, savedCards } from '../parts/saved-cards.ts';
import { support } from '../parts/support.ts';
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
      ${summaryCard(page)}
      <div class="action">
        ${moreTime(page, null)}
        ${attemptNotices(page, view)}
        <div class="card">
          ${view.offersBank && methodTabs(page, 'CARD', view.card)}
          ${heading(words.say('payByCard'))}
          ${savedCards(page, view.card)}
          ${newCard(page, view)}
          <p class="unseen" role="status" data-leaving-said></p>
        </div>
      </div>
      <div class="aside">
        ${nextSteps(page, steps)}
        ${foldedSteps(page, steps)}
        ${support(words, page.frame)}
        ${returnLink(page, 'plain')}
      </div>
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

/** Continuing is consent, so this is before the button, with how to withdraw it. */
const consent = ({ words, frame }: Page, saves: NonNullable<CheckoutCardOffer['saves']>): Html => {
  const merchant = frame.merchantName;
  return html`
    <div class="note note-calm">
      <p><strong>${words.say(consents[saves], { merchant })}</strong></p>
      <p>${words.say('savesCardDelete', { merchant })}</p>
    </div>
  `;
};

const accepted = ({ words }: Page, { brands = [], wallets = [] }: CheckoutCardOffer): Html =>
  html`
    ${brands.length > 0 && html`<p>${words.say('cardBrands', { brands: brands.join(', ') })}</p>`}
    ${
      wallets.length > 0 &&
      html`<p>${words.say('cardWallets', { wallets: wallets.join(', ') })}</p>`
    }
  `;

/** A card is typed on the processor's page only: this one has no field for it. */
const newCard = (page: Page, { card: offer, postsItself }: View): Html => {
  const { words } = page;
  const isOther = offer.savedCards.length > 0;
  return html`
    <section class="new-card">
      ${isOther && html`<h2>${words.say('anotherCard')}</h2>`}
      <p class="secure">${icons.lock}<span>${words.say('cardPageText')}</span></p>
      ${accepted(page, offer)}
      <p class="fine">${words.say('cardCheck')}</p>
      ${offer.saves !== null && consent(page, offer.saves)}
      <form
        class="start"
        method="post"
        action="/pay/start" data-start${postsItself && html` data-posts-itself`}>
        ${hiddenFields(cardFields(page, offer))}
        ${fieldsWanted(offer)}
        <p class="bar">
          <button class="button" data-leaving="${words.plain('openingCard')}">
            <span>${words.say('continueToCard')}</span>
          </button>
        </p>
      </form>
    </section>
  `;
};

import type { CheckoutCardOffer, CheckoutSavedCard } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatMoney } from '../language/format.ts';
import { cardMark } from './card-marks.ts';
import type { Page } from './page.ts';
import { cardName } from './payment-method.ts';
import { hiddenFields } from './timer.ts';

/** One press each. The page says before the first that it pays at once. */
export const savedCards = (page: Page, offer: CheckoutCardOffer): Html | null =>
  offer.savedCards.length === 0
    ? null
    : html`
      <section class="saved-cards" aria-labelledby="saved-cards">
        <h2 id="saved-cards">${page.words.say('savedCards')}</h2>
        <p class="fine">${page.words.say('oneClickText')}</p>
        <ul>${offer.savedCards.map((card) => html`<li>${savedCard(page, offer, card)}</li>`)}</ul>
      </section>
    `;

/** On the page of banks: one press too, and the others are where cards are. */
export const firstCard = (page: Page, offer: CheckoutCardOffer): Html | null => {
  const [card] = offer.savedCards;
  return card ? savedCard(page, offer, card) : null;
};

/**
 * The fields of every start by card: the service reads the rest of the payment from its own books.
 */
export const cardFields = ({ fields }: Page, { formToken }: Pick<CheckoutCardOffer, 'formToken'>) =>
  [...fields, ['way', 'card'], ['formToken', formToken]] as const;

/** The script enables it: the processor's fields need one, and so does a question in a frame. */
export const fieldsWanted = ({ hasFields }: CheckoutCardOffer): Html | null =>
  hasFields ? html`<input type="hidden" name="fields" value="1" disabled>` : null;

const savedCard = (page: Page, offer: CheckoutCardOffer, card: CheckoutSavedCard): Html => {
  const { words, summary } = page;
  const amount = formatMoney(words.locale, summary.totalAmount);
  return html`
    <form method="post" action="/pay/start" data-start>
      ${hiddenFields([...cardFields(page, offer), ['cardId', card.cardId]])}
      ${fieldsWanted(offer)}
      <button class="saved-card" data-leaving="${words.plain('payingByCard')}">
        ${cardMark(card.brand)}
        <span class="bank-name">
          ${cardName(page, card)}
          <small>${words.say('cardExpires', { date: card.expiryDate })}</small>
        </span>
        <strong>${words.say('payAmount', { amount })}</strong>
      </button>
    </form>
  `;
};

import type { CheckoutCardOffer, CheckoutSavedCard } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatMoney } from '../language/format.ts';
import { cardMark } from './card-marks.ts';
import type { Page } from './page.ts';
import { brandName, cardName } from './payment-method.ts';
import { hiddenFields } from './timer.ts';

/** The card used last. */
export const savedCardAbove = (page: Page, offer: CheckoutCardOffer): Html | null =>
  firstOf(page, savedCards(page, offer));

/** What pays by one press: a saved card, or else the wallets of the device. */
export const expressAbove = (page: Page, offer: CheckoutCardOffer): Html | null =>
  savedCardAbove(page, offer) ??
  (hasWallets(offer) ? firstOf(page, walletButtons(page, offer)) : null);

const firstOf = ({ words }: Page, ways: Html | null): Html | null =>
  ways && html`<div class="express">${ways}</div><p class="or">${words.say('orAnotherWay')}</p>`;

export const hasSavedCard = ({ savedCards }: CheckoutCardOffer): boolean => savedCards.length > 0;

/** The wallets of the device are offered. To save a card is to be agreed to first. */
const hasWallets = (offer: CheckoutCardOffer): boolean => {
  const { deviceWallets = [], saves } = offer;
  return deviceWallets.length > 0 && saves === null && !hasSavedCard(offer);
};

/** What is paid with, above the button that pays; other cards are behind it. */
const savedCards = (page: Page, offer: CheckoutCardOffer): Html | null => {
  const [first, ...others] = offer.savedCards;
  if (!first) return null;
  const { words, addressOf } = page;
  const another = addressOf({ way: 'card', again: '1' });
  return html`
    <details class="own-card">
      <summary>
        ${cardMark(first.brand)}
        <span class="bank-name">
          ${cardName(page, first)}
          <small>${words.say('expires', { date: shortDate(first) })}</small>
        </span>
        <span class="swap">${words.say('change')}</span>
      </summary>
      ${others.map((card) => savedCard(page, offer, card, 'quiet'))}
      <a class="quiet" href="${another}">${words.say('anotherCard')}</a>
      <p>${words.say('savesCardDelete', { merchant: page.frame.merchantName })}</p>
    </details>
    <p class="fine">${words.say('oneClickText')}</p>
    ${savedCard(page, offer, first, 'button')}
  `;
};

/** As it is printed on the card: MM/YY. */
const shortDate = ({ expiryDate }: CheckoutSavedCard): string =>
  expiryDate.replace(/\/\d\d(?=\d\d$)/, '/');

/** Each by one press to where the processor asks it. */
const walletButtons = (page: Page, offer: CheckoutCardOffer): Html => html`
  <form method="post" action="/pay/start" data-start>
    ${hiddenFields(cardFields(page, offer))}
    ${fieldsWanted(offer)}
    ${offer.deviceWallets?.map((wallet) => walletButton(page, wallet))}
  </form>
`;

const walletButton = (page: Page, wallet: string): Html => html`
  <button class="button wallet" data-leaving="${page.words.plain('openingCard')}">
    <span>${payWith(page, html`<strong>${wallet}</strong>`)}</span>
  </button>
`;

const payWith = ({ words, summary }: Page, method: Html | string): Html =>
  words.say('payWith', { amount: formatMoney(words.locale, summary.totalAmount), method });

const savedCard = (
  page: Page,
  offer: CheckoutCardOffer,
  card: CheckoutSavedCard,
  look: 'button' | 'quiet',
): Html =>
  html`
    <form method="post" action="/pay/start" data-start>
      ${hiddenFields([...cardFields(page, offer), ['cardId', card.cardId]])}
      ${fieldsWanted(offer)}
      <button class="${look} saved-card" data-leaving="${page.words.plain('payingByCard')}">
        ${look === 'quiet' && cardMark(card.brand)}
        <span>${payWith(page, look === 'quiet' ? cardName(page, card) : brandName(page, card))}</span>
      </button>
    </form>
  `;

/**
 * The fields of every start by card: the service reads the rest of the payment from its own books.
 */
export const cardFields = ({ fields }: Page, { formToken }: Pick<CheckoutCardOffer, 'formToken'>) =>
  [...fields, ['way', 'card'], ['formToken', formToken]] as const;

/** The script enables it: the processor's fields need one, and so does a question in a frame. */
export const fieldsWanted = ({ hasFields }: CheckoutCardOffer): Html | null =>
  hasFields ? html`<input type="hidden" name="fields" value="light" disabled>` : null;

import type { CheckoutCardOffer } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import type { Page } from './page.ts';
import { cardFields, fieldsWanted } from './saved-cards.ts';
import { hiddenFields } from './timer.ts';

/**
 * The wallets of this device, each by one press to where the processor asks it. A saved card is
 * quicker, and to save one is to be agreed to first.
 */
export const walletButtons = (page: Page, offer: CheckoutCardOffer): Html | null => {
  const { deviceWallets = [], savedCards, saves } = offer;
  if (deviceWallets.length === 0 || savedCards.length > 0 || saves !== null) return null;
  return html`
    <form class="wallets" method="post" action="/pay/start" data-start>
      ${hiddenFields(cardFields(page, offer))}
      ${fieldsWanted(offer)}
      ${deviceWallets.map((wallet) => walletButton(page, wallet))}
    </form>
  `;
};

const walletButton = ({ words }: Page, wallet: string): Html => html`
  <button class="wallet" data-leaving="${words.plain('openingCard')}"><span>${wallet}</span></button>
`;

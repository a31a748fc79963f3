import { cardJobs } from './jobs.ts';
import { encryptedColumns } from './references.ts';
import { merchantRoutes } from './saved-cards.ts';
import { detachDueAt } from './store/detachments.ts';

// What the programs mount

export const cardsModule = {
  name: 'cards',
  routes: [merchantRoutes],
  jobs: [cardJobs],
  dueAt: { detachCards: detachDueAt },
  encryptedColumns,
};

// Routes and jobs

export { deleteCustomer, merchantRoutes } from './saved-cards.ts';
export { hurryDetachment, stuckDetachments } from './store/detachments.ts';

// Each merchant's card rail

export {
  type CardAccount,
  type CardRails,
  cardAccountCachedMs,
  cardRails,
  type FindAccount,
  forgetCardAccount,
  listCardTenants,
  listOwnCardAccounts,
  missingKeys,
  ownCardEventsPath,
  saveCardAccount,
  setCardAccount,
  sharedCardEventsPath,
} from './card-accounts.ts';

// Saved cards

export { ensureProcessorCustomer, type ProcessorCustomer } from './ensure-processor-customer.ts';
export { type CardDraft, type Detachment, type PaidByCard, saveCard } from './save-card.ts';
export {
  type CardToCharge,
  type ChargeableCard,
  findChargeableCard,
  listCards,
  missingCard,
  type SavedCard,
} from './saved-cards.ts';
export { isLiveCardRow, liveCardsCte } from './store/cards.ts';
export { countOpenDetachments } from './store/detachments.ts';
export { cardsValue, type SaveCardValues, saveCardCtes } from './store/save-card-ctes.ts';

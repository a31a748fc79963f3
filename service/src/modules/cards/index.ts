// Routes and jobs

export { deleteCustomer } from './delete-customer.ts';
export { cardJobs } from './jobs.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { detachDueAt } from './store/detachments.ts';
export { hurryDetachment, stuckDetachments } from './store/stuck-detachments.ts';

// Each merchant's card rail

export {
  type CardAccount,
  forgetCardAccount,
  listOwnCardAccounts,
  saveCardAccount,
  setCardAccount,
} from './account/card-account.ts';
export { ownCardEventsPath, sharedCardEventsPath } from './account/card-events-path.ts';
export {
  type CardRails,
  cardAccountCachedMs,
  cardRails,
  type FindAccount,
} from './account/card-rails.ts';
export { missingKeys } from './account/missing-keys.ts';

// Saved cards

export { ensureProcessorCustomer, type ProcessorCustomer } from './ensure-processor-customer.ts';
export {
  type CardToCharge,
  type ChargeableCard,
  findChargeableCard,
} from './find-chargeable-card.ts';
export { missingCard } from './get-customer-card.ts';
export { listCards } from './list-cards.ts';
export { type CardDraft, type Detachment, type PaidByCard, saveCard } from './save-card.ts';
export type { SavedCard } from './saved-card.ts';
export { countOpenDetachments } from './store/count-open-detachments.ts';
export { isLiveCardRow, liveCardsCte } from './store/list-card-rows.ts';
export { cardsValue, type SaveCardValues, saveCardCtes } from './store/save-card-ctes.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';

import type { BankStore } from '#simulator/bank/ports.ts';
import { accountConsentStore } from './account-consent-store.ts';
import { accountStore, movementStore } from './account-store.ts';
import { consentStore } from './consent-store.ts';
import { subscriptionStore } from './notification-store.ts';
import type { Pool } from './open-pool.ts';
import { paymentStore } from './payment-store.ts';

export const bankStore = (pool: Pool): BankStore => ({
  ...consentStore(pool),
  ...accountStore(pool),
  ...accountConsentStore(pool),
  ...movementStore(pool),
  ...paymentStore(pool),
  ...subscriptionStore(pool),
});

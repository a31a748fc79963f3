import type { BankStore } from '#simulator/bank/ports.ts';
import { accountStore } from './account-store.ts';
import { consentStore } from './consent-store.ts';
import { paymentStore } from './payment-store.ts';
import type { Pool } from './pool.ts';

export function bankStore(pool: Pool): BankStore {
  return { ...consentStore(pool), ...accountStore(pool), ...paymentStore(pool) };
}

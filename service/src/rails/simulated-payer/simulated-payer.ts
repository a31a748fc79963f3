import type { PayerRail } from '../payer-rail.ts';
import { payByCard } from './pay-by-card.ts';
import { visitBank } from './visit-bank.ts';

/** `returnAddresses`: where the simulated banks return a customer to. */
export const simulatedPayer = (returnAddresses: readonly string[]): PayerRail => ({
  visitBank: visitBank(returnAddresses),
  payByCard,
});

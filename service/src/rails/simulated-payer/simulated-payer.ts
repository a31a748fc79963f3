import type { PayerRail } from '../payer-rail.ts';
import { payByCard } from './pay-by-card.ts';
import { visitBank } from './visit-bank.ts';

/** `returnAddress`: where the simulated banks return a customer to. */
export const simulatedPayer = (returnAddress: string): PayerRail => ({
  visitBank: visitBank(returnAddress),
  payByCard,
});

import type { FindAccount } from '#modules/cards/index.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { type Attempt, type Payment, waitsForPayer } from '../core/payment.ts';
import { closeCardPage } from './close-card-page.ts';
import type { CardReport } from './outcomes/complete-card.ts';
import type { RecordTools } from './outcomes/record-card-outcome.ts';

/**
 * Closes the pages on which a payer may still pay: all, before the request ends, or those given. If
 * the processor does not answer, a page stays open.
 */
export const closeCardPages = async (
  tools: RecordTools & { readonly cardRails: FindAccount },
  payment: Payment,
  closedBecause: NonNullable<CardReport['closedBecause']>,
  isMeant: (attempt: Attempt) => boolean = () => true,
): Promise<Payment> => {
  const open = payment.attempts.filter((attempt) => waitsForPayer(attempt) && isMeant(attempt));
  let current = payment;
  for (const attempt of open) {
    const rail = await findRail(tools.cardRails, payment, attempt);
    if (rail) current = await closeCardPage(tools, rail, current, attempt, closedBecause);
  }
  return current;
};

const findRail = async (
  cardRails: FindAccount,
  { tenant }: Payment,
  { card }: Attempt,
): Promise<CardRail | null> => card && cardRails.findAccount(tenant, card.accountKey);

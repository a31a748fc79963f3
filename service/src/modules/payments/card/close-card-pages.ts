import type { CardRails } from '#modules/cards/index.ts';
import { type Attempt, type Payment, waitsForPayer } from '../core/payment.ts';
import { closeCardPage } from './close-card-page.ts';
import type { CardReport } from './outcomes/complete-card.ts';
import type { RecordTools } from './outcomes/record-card-outcome.ts';

/**
 * Closes the pages on which a payer may still pay: all, before the request ends, or those given. If
 * the processor does not answer, a page stays open.
 */
export const closeCardPages = async (
  tools: RecordTools & { readonly cardRails: Pick<CardRails, 'find'> },
  payment: Payment,
  closedBecause: NonNullable<CardReport['closedBecause']>,
  isMeant: (attempt: Attempt) => boolean = () => true,
): Promise<Payment> => {
  const open = payment.attempts.filter((attempt) => waitsForPayer(attempt) && isMeant(attempt));
  const rail = open.length > 0 ? await tools.cardRails.find(payment.tenant) : null;
  let current = payment;
  if (rail)
    for (const attempt of open)
      current = await closeCardPage(tools, rail, current, attempt, closedBecause);
  return current;
};

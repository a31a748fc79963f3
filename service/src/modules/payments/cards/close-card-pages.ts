import type { CardRails } from '#modules/cards/index.ts';
import type { Payment } from '../payment.ts';
import type { CardReport } from './card-endings.ts';
import { closeCardPage, waitsForPayer } from './close-card-page.ts';
import type { RecordTools } from './record-card-outcome.ts';

/** Every page on which a payer may still pay, before the request ends. */
export const closeCardPages = async (
  tools: RecordTools & { readonly cardRails: Pick<CardRails, 'find'> },
  payment: Payment,
  closedBecause: NonNullable<CardReport['closedBecause']>,
): Promise<void> => {
  const open = payment.attempts.filter(waitsForPayer);
  const rail = open.length > 0 ? await tools.cardRails.find(payment.tenant) : null;
  if (rail)
    await Promise.all(
      open.map((attempt) => closeCardPage(tools, rail, payment, attempt, closedBecause)),
    );
};

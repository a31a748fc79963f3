import type { CardRails } from '#modules/cards/index.ts';
import { closeCardPage, type Payment, waitsForPayer } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';

export type LeaveTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
  readonly cardRails: CardRails;
};

/**
 * Closes the card page that this payer left open, before another way is offered (decision 16). Of a
 * split bill everybody closes their own. Where the processor does not answer the page stays open, and
 * nothing else can be started.
 */
export const leaveCardPage = async (
  tools: LeaveTools,
  payment: Payment,
  payerId: string | null,
): Promise<Payment> => {
  const open = payment.attempts.filter(
    (attempt) =>
      waitsForPayer(attempt) && (!payment.splitsBill || attempt.applicationUserId === payerId),
  );
  const rail = open.length > 0 ? await tools.cardRails.find(payment.tenant) : null;
  let current = payment;
  if (rail)
    for (const attempt of open)
      current = await closeCardPage(tools, rail, current, attempt, 'superseded');
  return current;
};

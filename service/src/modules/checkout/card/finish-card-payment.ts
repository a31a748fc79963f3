import type { FindAccount } from '#modules/cards/index.ts';
import { findCardAttempt, type Payment, pollCardProcessor } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';

/**
 * The payer returned from the processor or from their bank, in any browser, paid or not. The return
 * proves nothing: the processor is polled. Null when there is no such payment.
 */
export const finishCardPayment = async (
  tools: Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
    readonly cardRails: FindAccount;
  },
  attemptId: string,
): Promise<Payment | null> => {
  const found = await findCardAttempt(tools, { attemptId });
  if (!found) return null;
  return pollCardProcessor(tools, found.tenant, found.paymentRequestId, attemptId);
};

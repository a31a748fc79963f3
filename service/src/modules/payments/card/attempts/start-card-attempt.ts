import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { changePayment } from '../../core/change-payment.ts';
import { noteAttempt } from '../../core/draft-change.ts';
import { authoriseBy } from '../../core/new-attempt.ts';
import { sealRailState } from '../../core/open-rail-state.ts';
import type { Payment } from '../../core/payment.ts';
import { findAttempt } from '../../core/payment.ts';
import { beginAttempt, type Started } from '../../core/start-attempt.ts';
import { nextPagePoll } from '../outcomes/next-card-poll.ts';
import { type CardAttemptOrder, newCardAttempt } from './new-card-attempt.ts';

/** Records the intent to pay by card before the processor is called. */
export const startCardAttempt = (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
  orderOf: (payment: Payment) => CardAttemptOrder,
): Promise<Started> =>
  beginAttempt(tools, tenant, paymentRequestId, (payment) =>
    newCardAttempt(tools.ids, payment, orderOf(payment)),
  );

/**
 * The processor has a page and waits for the payer. False when the attempt was ended meanwhile:
 * then no payer gets the address of that page.
 */
export const recordCardPage = async (
  tools: Uses<'database' | 'secrets' | 'wakeDispatcher'>,
  { tenant, paymentRequestId }: Pick<Payment, 'tenant' | 'paymentRequestId'>,
  attemptId: string,
  page: { readonly state: string; readonly reference: string },
): Promise<boolean> => {
  const after = await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (attempt?.status !== 'AWAITING_AUTHORIZATION' || attempt.step !== 'OPENING_PAGE')
      return false;
    noteAttempt(change, attemptId, {
      step: 'AT_PROCESSOR',
      railStateEncrypted: sealRailState(tools.secrets, attemptId, page.state),
      railReference: page.reference,
      authoriseByBusiness: authoriseBy(current, limits.authorisationOpenMs),
      pollBusinessAt: nextPagePoll(current, 0),
    });
    return true;
  });
  return after.attempts.some(
    (attempt) => attempt.attemptId === attemptId && attempt.step === 'AT_PROCESSOR',
  );
};

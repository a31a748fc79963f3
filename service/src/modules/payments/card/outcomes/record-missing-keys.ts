import { missingKeys } from '#modules/cards/index.ts';
import { isLive } from '../../core/attempt-lifecycle.ts';
import { changePayment } from '../../core/change-payment.ts';
import { recordPoll } from '../../core/draft-change.ts';
import { type Attempt, findAttempt, type Payment } from '../../core/payment.ts';
import { applyCardOutcome } from './apply-card-outcome.ts';
import { longOpen } from './long-open.ts';
import { nextCardPoll } from './next-card-poll.ts';
import type { RecordTools } from './record-card-outcome.ts';

const unknown = {
  kind: 'UNKNOWN',
  description: 'The keys of the account at the card processor are missing.',
} as const;

/**
 * Nothing can be learnt of an open attempt without the keys of its account: its outcome stays unknown,
 * it is sent to no other account, and the operator gets a case (CARD-20).
 */
export const recordMissingKeys = (
  tools: RecordTools,
  { tenant, paymentRequestId }: Pick<Payment, 'tenant' | 'paymentRequestId'>,
  attemptId: string,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (!attempt?.card || !isOpen(attempt)) return false;
    const evidence = { paymentRequestId, attemptId };
    change.cases.push(missingKeys(tenant, attempt.card.accountKey, evidence));
    if (isLive(attempt.status)) return applyCardOutcome(tools, change, attempt, unknown);
    const opened = longOpen(change, attempt);
    if (opened) change.cases.push(opened);
    recordPoll(change, attemptId, {
      ...(opened && { operatorAlertedAt: current.now }),
      pollCount: attempt.pollCount + 1,
      pollBusinessAt: nextCardPoll(attempt.step, attempt.pollCount, current.now),
    });
    return true;
  });

const isOpen = ({ status, step }: Attempt): boolean =>
  isLive(status) || step === 'PAID_TOO_LATE' || step === 'REFUNDING_LATE';

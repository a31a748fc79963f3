import { openCases } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { Refusal } from '#rails/bank-rail.ts';
import type { CardOutcome } from '#rails/card-rail.ts';
import { changePayment } from '../../core/change-payment.ts';
import type { Attempt, Payment } from '../../core/payment.ts';
import { findAttempt } from '../../core/payment.ts';
import { applyCardOutcome } from './apply-card-outcome.ts';
import type { CardReport } from './complete-card.ts';

export type RecordTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'>;

/**
 * A processor's report about an attempt, from its reply, its event, a poll or a page: the first
 * report of a state has its effect, an equal or older one has none.
 */
export const recordCardOutcome = async (
  tools: RecordTools,
  payment: Pick<Payment, 'tenant' | 'paymentRequestId'>,
  attemptId: string,
  outcome: CardOutcome | Refusal,
  report: CardReport = {},
): Promise<Payment> => {
  let contradicted: Attempt | null = null;
  const after = await changePayment(
    tools,
    payment.tenant,
    payment.paymentRequestId,
    (current, change) => {
      const attempt = findAttempt(current, attemptId);
      contradicted = attempt && isContradicted(attempt, outcome) ? attempt : null;
      if (attempt?.method !== 'CARD' || contradicted) return false;
      return applyCardOutcome(tools, change, attempt, outcome, report);
    },
  );
  if (contradicted) await openContradiction(tools, payment, contradicted, outcome);
  return after;
};

/** The processor has money for an attempt that we ended without it: not by our doing. */
const isContradicted = ({ status, step }: Attempt, { kind }: CardOutcome | Refusal): boolean =>
  (status === 'FAILED' || status === 'CANCELLED') &&
  step === 'ENDED' &&
  (kind === 'COMPLETED' || kind === 'AUTHORIZED');

const openContradiction = (
  tools: RecordTools,
  { tenant, paymentRequestId }: Pick<Payment, 'tenant' | 'paymentRequestId'>,
  { attemptId, status }: Attempt,
  { kind }: CardOutcome | Refusal,
): Promise<void> =>
  openCases(tools, [
    {
      tenant,
      kind: 'PROCESSOR_CONTRADICTION',
      subject: attemptId,
      description:
        'The card processor holds money for an attempt that has ended: compare the books with it.',
      evidence: { paymentRequestId, attemptId, status, processorReports: kind },
    },
  ]);

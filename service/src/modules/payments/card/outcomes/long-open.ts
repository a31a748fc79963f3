import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type { Change } from '../../core/draft-change.ts';
import type { Attempt } from '../../core/payment.ts';

const openCaseAfterMs = 24 * 60 * 60 * 1000;

/**
 * The processor leaves an attempt open for a day after it should have ended it: the operator gets a case,
 * once. Null: it is not so, or the operator knows.
 */
export const longOpen = ({ payment }: Change, attempt: Attempt): OperatorCase | null => {
  const since = shouldHaveEnded(attempt);
  if (!since || attempt.operatorAlertedAt !== null) return null;
  if (payment.now.getTime() - since.getTime() < openCaseAfterMs) return null;
  const { attemptId, step } = attempt;
  return {
    kind: 'PAYMENT_PENDING_LONG',
    subject: attemptId,
    description: 'The outcome of a card payment is unknown for a day: look at the processor.',
    evidence: { paymentRequestId: payment.paymentRequestId, attemptId, step },
  };
};

/** From then on the processor owes an outcome. */
const shouldHaveEnded = (attempt: Attempt): Date | null => {
  switch (attempt.step) {
    case 'CHARGING':
    case 'STEP_UP':
      return attempt.createdAt;
    case 'AT_PROCESSOR':
      return attempt.authoriseByBusiness;
    case 'AUTHORISED':
      return attempt.card?.authorisationExpiresBusinessAt ?? null;
    case 'CAPTURING':
    case 'CANCELLING':
    case 'PAID_TOO_LATE':
    case 'REFUNDING_LATE':
      return attempt.updatedAt;
    default:
      return null;
  }
};

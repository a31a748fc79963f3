import { failures, type getPaymentRecord as operation, type ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { poundsText } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import type { Attempt } from './core/payment.ts';
import { loadPayment } from './core/store/load-payment.ts';
import { readPaymentHistory } from './core/store/payment-history.ts';

/** What a firm must be able to show of a payment (OPERATE-8). */
export const getPaymentRecord = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<ReplyOf<typeof operation>> => {
  const payment = await loadPayment(database, tenant, paymentRequestId);
  if (!payment) throw new Failure(failures.notFound);
  const key = { ...tenant, paymentRequestId };
  const history = await database.tenant(tenant.merchantId, readPaymentHistory, key);
  return {
    paymentRequestId,
    status: payment.status,
    amount: poundsText(payment.amountPence),
    createdAt: payment.createdAt.toISOString(),
    attempts: payment.attempts.map(attemptView),
    history: history.map((row) => ({
      subject: row.subject,
      subjectId: row.subject_id,
      fromStatus: row.from_status,
      toStatus: row.to_status,
      trigger: row.trigger,
      detail: row.detail,
      occurredAt: row.occurred_at.toISOString(),
    })),
  };
};

const attemptView = (attempt: Attempt) => ({
  attemptId: attempt.attemptId,
  paymentIdempotencyId: attempt.paymentIdempotencyId,
  method: attempt.method,
  status: attempt.status,
  institutionId: attempt.institutionId,
  consentId: attempt.railReference,
  interactionId: attempt.tracingId,
  amount: poundsText(attempt.amountPence),
  tipAmount: poundsText(attempt.tipPence),
  isoStatus: attempt.isoStatusCode,
  errorCode: attempt.errorCode,
  errorDescription: attempt.errorDescription,
  startedAt: attempt.createdAt.toISOString(),
  submittedAt: attempt.submittedAt?.toISOString() ?? null,
});

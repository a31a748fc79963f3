import {
  cancelCardPayment as cancelCardOperation,
  cancelPaymentRequest as cancelOperation,
  captureCardPayment as captureCardOperation,
  chargeCard as chargeCardOperation,
  failures,
  listBankHealth,
  type getPaymentRecord as operation,
  type ReplyOf,
  getPaymentRecord as recordOperation,
  recordPaymentOutcome,
  requestPayment as requestOperation,
} from '@florin/contract';
import { type Environment, type Tenant, tenantIn } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { poundsText } from '#kernel/pence.ts';
import type { CardRails } from '#modules/cards/index.ts';
import {
  operatorRoute,
  type Route,
  route,
  routeHandlingIdempotency,
} from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { cancelCardPayment, captureCardPayment } from './card/captures.ts';
import { cancelWithCardPages } from './card/card-pages.ts';
import { type ChargeSender, chargeCard } from './card/charges.ts';
import type { BankRails } from './core/bank-rails.ts';
import { type Attempt, findAttempt } from './core/payment.ts';
import { loadPayment, readPaymentHistory } from './core/store/load-payment.ts';
import { recordOperatorOutcome } from './record-operator-outcome.ts';
import { requestPayment } from './requests/request-payment.ts';

/** The banks of one environment, those that are down first (OPERATE-7). */
const showBankHealth = (
  bankRails: BankRails,
  environment: Environment,
): ReplyOf<typeof listBankHealth> =>
  bankRails
    .need(environment)
    .health()
    .map(({ isEnabled, lastFailureAt, retryAt, ...health }) => ({
      ...health,
      enabled: isEnabled,
      successPercent: percentOf(health.calls - health.failedCalls, health.calls),
      lastFailureAt: lastFailureAt?.toISOString() ?? null,
      retryAt: retryAt?.toISOString() ?? null,
    }))
    .sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));

const order = ['UNAVAILABLE', 'SLOW', 'WORKING'];

const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((1000 * part) / whole) / 10;

/** What a firm must be able to show of a payment (OPERATE-8). */
const getPaymentRecord = async (
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

export const merchantRoutes = (
  tools: Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
    readonly bankRails: BankRails;
    readonly cardRails: CardRails;
    readonly chargeSender: ChargeSender;
    readonly publicUrl: string;
  },
): readonly Route[] => [
  routeHandlingIdempotency(requestOperation, (call, caller) =>
    requestPayment(tools, caller, call.body, call.idempotencyKey, call),
  ),
  routeHandlingIdempotency(chargeCardOperation, (call, caller) =>
    chargeCard(tools, caller, call.body, call.idempotencyKey, call),
  ),
  route(captureCardOperation, ({ params, idempotencyKey }, caller) =>
    captureCardPayment(tools, caller, params.paymentRequestId, idempotencyKey),
  ),
  route(cancelCardOperation, ({ params, body, idempotencyKey }, caller) =>
    cancelCardPayment(tools, caller, params.paymentRequestId, body, idempotencyKey),
  ),
  route(cancelOperation, async ({ params }, caller) => {
    await cancelWithCardPages(tools, caller.tenant, params.paymentRequestId);
    return {
      success: true,
      paymentRequestId: params.paymentRequestId,
      status: 'CANCELLED' as const,
    };
  }),
];

export const operatorRoutes = (
  tools: Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'> & {
    readonly bankRails: BankRails;
  },
): readonly Route[] => [
  operatorRoute(listBankHealth, async ({ params }) =>
    showBankHealth(tools.bankRails, params.environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION'),
  ),
  operatorRoute(recordOperation, ({ params }) =>
    getPaymentRecord(tools, tenantIn(params), params.paymentRequestId),
  ),
  operatorRoute(recordPaymentOutcome, async ({ params, body }, { name }) => {
    const { paymentRequestId, attemptId } = params;
    const tenant = tenantIn(params);
    const found = { ...body, actor: name };
    const after = await recordOperatorOutcome(tools, tenant, paymentRequestId, attemptId, found);
    const { status: attemptStatus = '' } = findAttempt(after, attemptId) ?? {};
    return { paymentRequestId, attemptId, status: after.status, attemptStatus };
  }),
];

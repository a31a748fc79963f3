import {
  expiredStatusBody,
  paymentsStatusBody,
  posPaymentStatusBody,
  refundStatusBody,
  type StatusDetails,
  type StoreDetails,
  tillFields,
  type VoidedSale,
} from '#modules/events/index.ts';
import type { Ids } from '#platform/clock.ts';
import type { Change } from './change-payment.ts';
import {
  type Attempt,
  type CardRefund,
  findAttempt,
  latestAttempt,
  noShare,
  type Payment,
  requestedPence,
  tipToPay,
  totalPence,
} from './payment.ts';
import type { AttemptStatus } from './payment-lifecycles.ts';
import { outstandingPence, partsOfShare } from './shares.ts';

/** What receivers that read only codes get where no bank has said one. */
const isoOfStatus = {
  PENDING: { code: 'PDNG', name: 'Pending' },
  AUTHORIZED: { code: 'PDNG', name: 'Pending' },
  COMPLETED: { code: 'ACSC', name: 'AcceptedSettlementCompleted' },
  FAILED: { code: 'RJCT', name: 'Rejected' },
  CANCELLED: { code: 'CANC', name: 'Cancelled' },
} as const satisfies Partial<Record<AttemptStatus, object>>;

type Reported = Exclude<AttemptStatus, 'AWAITING_AUTHORIZATION'>;

const reportedDetails = (attempt: Attempt, status: Reported): StatusDetails => ({
  status,
  statusUpdateDate: attempt.isoStatusAt ?? attempt.updatedAt,
  isoStatus:
    attempt.isoStatusCode === null
      ? isoOfStatus[status]
      : { code: attempt.isoStatusCode, name: attempt.isoStatusName ?? '' },
});

/** Null while the payer has not approved. */
export const statusDetailsOf = (attempt: Attempt): StatusDetails | null =>
  attempt.status === 'AWAITING_AUTHORIZATION' ? null : reportedDetails(attempt, attempt.status);

/** Never null for existing clients: without a payer's own id, one that names this payment alone. */
export const consumerIdOf = (
  payment: Pick<Payment, 'paymentRequestId'>,
  attempt: Attempt | null | undefined,
): string => attempt?.applicationUserId ?? attempt?.attemptId ?? payment.paymentRequestId;

/** The body for an attempt of a sale; null where nothing is emitted of its state. */
const saleBody = (
  payment: Payment,
  attempt: Attempt,
  storeDetails: StoreDetails,
): object | null => {
  const { status } = attempt;
  if (status !== 'COMPLETED' && status !== 'FAILED') return null;
  return posPaymentStatusBody({
    ...partiesOf(payment, attempt),
    ...attemptOf(attempt),
    kind: 'PAYMENT',
    status,
    statusDetails: statusDetailsOf(attempt),
    paidPence: totalPence(attempt),
    tipPence: attempt.tipPence,
    ...partsOfShare(payment, attempt),
    createdAt: attempt.createdAt,
    updatedAt: payment.now,
    errorDescription: attempt.errorDescription,
    storeDetails,
  });
};

/** Of a sale that expired: the amount that was asked for, as in EXPIRED_STATUS. */
const expiredSaleBody = (payment: Payment, storeDetails: StoreDetails): object => {
  const latest = latestAttempt(payment);
  const tipPence = tipToPay(payment);
  return posPaymentStatusBody({
    ...partiesOf(payment, latest),
    ...(latest ? attemptOf(latest) : { paymentIdempotencyId: '', transactionType: '' as const }),
    kind: 'PAYMENT',
    status: 'EXPIRED',
    statusDetails: null,
    paidPence: requestedPence(payment),
    tipPence,
    ...payment.parts,
    createdAt: payment.createdAt,
    updatedAt: payment.now,
    errorDescription: null,
    storeDetails,
  });
};

/** Of money that the merchant returned, or failed to return, in the processor's own dashboard. */
const returnedSaleBody = (
  payment: Payment,
  attempt: Attempt,
  { refundId, amountPence, refundedAt, failedAt, errorDescription }: CardRefund,
): object =>
  posPaymentStatusBody({
    ...partiesOf(payment, attempt),
    ...attemptOf(attempt),
    ...partsOfShare(payment, attempt),
    kind: 'VOID',
    status: failedAt ? 'FAILED' : 'COMPLETED',
    statusDetails: null,
    refundId,
    refundPence: amountPence,
    paidPence: totalPence(attempt),
    createdAt: refundedAt,
    updatedAt: failedAt ?? refundedAt,
    errorDescription,
  });

/** What a refund of the payment tells of it; null unless the till made it. */
export const voidedSaleOf = (payment: Payment, attempt: Attempt): VoidedSale | null =>
  isOfTill(payment)
    ? {
        customerReference: payment.merchantCustomerReference,
        consumerId: consumerIdOf(payment, attempt),
        merchantName: payment.merchant.name,
        redirectUrlParams: payment.callbackParams,
        notes: payment.notes,
        customFields: tillFields(payment.tillName),
        ...partsOfShare(payment, attempt),
      }
    : null;

const attemptOf = ({ paymentIdempotencyId, method }: Attempt) => ({
  paymentIdempotencyId,
  transactionType: method === 'CARD' ? ('CARD' as const) : ('OPEN_BANKING' as const),
});

const partiesOf = (payment: Payment, attempt: Attempt | undefined) => ({
  merchantId: payment.tenant.merchantId,
  customerReference: payment.merchantCustomerReference,
  consumerId: consumerIdOf(payment, attempt),
  merchantName: payment.merchant.name,
  orderId: payment.orderId,
  paymentRequestId: payment.paymentRequestId,
  redirectUrlParams: payment.callbackParams,
  splitBill: false,
  notes: payment.notes,
  customFields: tillFields(payment.tillName),
});

/** Payments of the till emit POS_PAYMENT_STATUS and nothing else (EVENT-2). */
export const isOfTill = ({ channel }: Pick<Payment, 'channel'>): boolean => channel === 'TILL';

type Draft = Pick<Change['events'][number], 'eventType' | 'isRepeat' | 'body'>;

type Outcome = {
  /** It was told as COMPLETED before: only its bank's status has changed. */
  readonly isRepeat?: boolean;
};

/** For an attempt after the change: PAYMENTS_STATUS, of the till POS_PAYMENT_STATUS (EVENT-2). */
export const emitOutcome = (
  tools: { readonly ids: Ids },
  change: Change,
  attemptId: string,
  { isRepeat = false }: Outcome = {},
): void => {
  const { payment } = change;
  const attempt = findAttempt(payment, attemptId);
  if (!attempt) return;
  if (isOfTill(payment)) {
    sendSale(tools, change, saleBody(payment, attempt, storeOf(payment)));
    return;
  }
  const isSplit = attempt.shareId !== noShare;
  send(tools, change, {
    eventType: 'PAYMENTS_STATUS',
    isRepeat: isRepeat && !payment.merchant.repeatsCompleted,
    body: paymentsStatusBody({
      ...common(payment),
      consumerId: consumerIdOf(payment, attempt),
      merchantName: payment.merchant.name,
      paymentIdempotencyId: attempt.paymentIdempotencyId,
      status: statusShown(attempt.status),
      statusDetails: reportedDetails(attempt, statusShown(attempt.status)),
      paidPence: totalPence(attempt),
      tipPence: attempt.tipPence,
      ...partsOfShare(payment, attempt),
      createdAt: attempt.createdAt,
      updatedAt: payment.now,
      transactionType: attempt.method === 'CARD' ? 'CARD' : 'OPEN_BANKING',
      errorDescription: attempt.errorDescription,
      splitBill: isSplit,
      splitOutstandingPence: isSplit ? outstandingPence(payment) : null,
      notes: payment.notes,
    }),
  });
};

export const emitExpiry = (tools: { readonly ids: Ids }, change: Change): void => {
  const { payment } = change;
  if (isOfTill(payment)) {
    sendSale(tools, change, expiredSaleBody(payment, storeOf(payment)));
    return;
  }
  send(tools, change, {
    eventType: 'EXPIRED_STATUS',
    body: expiredStatusBody({ ...common(payment), requestedPence: payment.amountPence }),
  });
};

/** For a refund that the merchant made in the processor's own dashboard, done or failed later. */
export const emitRefund = (
  tools: { readonly ids: Ids },
  change: Change,
  attempt: Attempt,
  refund: CardRefund,
): void => {
  const { payment } = change;
  if (isOfTill(payment)) {
    sendSale(tools, change, returnedSaleBody(payment, attempt, refund));
    return;
  }
  const { refundId, amountPence, refundedAt, failedAt } = refund;
  send(tools, change, {
    eventType: 'REFUND_STATUS',
    body: refundStatusBody({
      refundId,
      paymentRequestId: payment.paymentRequestId,
      paymentIdempotencyId: attempt.paymentIdempotencyId,
      status: failedAt ? 'FAILED' : 'COMPLETED',
      paidPence: totalPence(attempt),
      refundPence: amountPence,
      refundNotes: null,
      orderId: payment.orderId,
      createdAt: refundedAt,
      updatedAt: failedAt ?? refundedAt,
    }),
  });
};

/** An attempt that waits for the payer emits nothing. */
const statusShown = (status: AttemptStatus): Reported =>
  status === 'AWAITING_AUTHORIZATION' ? 'PENDING' : status;

const common = (payment: Payment) => ({
  merchantId: payment.tenant.merchantId,
  customerReference: payment.merchantCustomerReference,
  orderId: payment.orderId,
  paymentRequestId: payment.paymentRequestId,
  storeDetails: storeOf(payment),
  redirectUrl: payment.redirectUrl,
  redirectUrlParams: payment.callbackParams,
});

const storeOf = ({ store }: Payment): StoreDetails => ({
  id: store.id,
  address: store.address,
  locationName: store.locationName,
});

const sendSale = (tools: { readonly ids: Ids }, change: Change, body: object | null): void => {
  if (body) send(tools, change, { eventType: 'POS_PAYMENT_STATUS', body });
};

const send = (tools: { readonly ids: Ids }, change: Change, draft: Draft): void => {
  const { payment } = change;
  const sequence = payment.eventSequence + 1;
  change.payment = { ...payment, eventSequence: sequence };
  change.events.push({
    ...draft,
    eventId: tools.ids.uuid(),
    resourceId: payment.paymentRequestId,
    sequence,
    dedupeKey: `payment:${payment.paymentRequestId}:${sequence}`,
    signingSecretId: payment.secretId,
    occurredAt: payment.now,
    requestId: payment.requestId,
    traceparent: payment.traceparent,
  });
};

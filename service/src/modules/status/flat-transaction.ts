import type { getTransaction, ReplyOf } from '@florin/contract';
import { addPence, type Pence, poundsNumber, subtractPence } from '#kernel/pence.ts';
import type { V1Signatures } from '#modules/checkout/index.ts';
import {
  type Attempt,
  consumerIdOf,
  isPaid,
  type Payment,
  partsOfShare,
  shownError,
  statusDetailsOf,
  type TopStatus,
  tipToPay,
  topStatus,
  totalPence,
} from '#modules/payments/index.ts';
import type { Refund } from '#modules/refunds/index.ts';
import { refundMembers } from './payment-status-view.ts';

type Seen = { readonly seen: Payment; readonly status: TopStatus };

/**
 * A split bill for a reader whose share is not known: what others have paid is not theirs, until the bill
 * is paid, and a share that failed says nothing of a bill that is part paid (SPLIT-8).
 */
export const seenByAnyPayer = (payment: Payment): Seen => {
  const whole = { seen: payment, status: topStatus(payment) };
  if (!payment.splitsBill || payment.status === 'PAID') return whole;
  const seen = { ...payment, attempts: payment.attempts.filter((attempt) => !isPaid(attempt)) };
  const status = topStatus(seen);
  if (status !== 'FAILED' || whole.status === 'FAILED') return { seen, status };
  return { seen: { ...payment, attempts: [] }, status: whole.status };
};

export type Flat = ReplyOf<typeof getTransaction>;

type FlatSources = {
  /** The payment that is shown; null before one was started. */
  readonly attempt: Attempt | null;
  readonly status: string;
  readonly signatures: V1Signatures | null;
  readonly bankName: (institutionId: string) => string | null;
  readonly refunds: readonly Refund[];
};

const externalMerchant = 3;

/** One payment in one object, for callers without a secret: nothing personal is shown. */
export const flatTransaction = (payment: Payment, sources: FlatSources): Flat => ({
  ...attemptMembers(payment, sources),
  ...requestMembers(payment),
  ...nothingKnown,
  status: sources.status,
  ...(sources.status === 'PAYMENT_NOT_INITIATED' ? { message: 'Payment not initiated' } : {}),
  ...signatureMembers(sources),
});

const nothingKnown = {
  paymentId: null,
  bankAccountNo: null,
  notes: null,
  qrId: null,
  qrNickName: null,
  paymentSourceType: externalMerchant,
  paymentLinkId: null,
  employeeId: null,
  pendingTrasactionError: null,
} as const;

const requestMembers = ({ merchant, store, tenant, ...payment }: Payment) => ({
  currency: 'GBP',
  paymentRequestId: payment.paymentRequestId,
  storeId: store.id,
  orderId: payment.orderId,
  merchantId: tenant.merchantId,
  merchantName: merchant.name,
  avatar: merchant.avatarUrl,
  storeDetails: { id: store.id, address: store.address, locationName: store.locationName },
  // Clients read a map of texts.
  redirectUrlParams: Object.fromEntries(
    Object.entries(payment.callbackParams).map(([name, value]) => [name, String(value)]),
  ),
  redirectUrl: payment.redirectUrl,
});

const attemptMembers = (payment: Payment, { attempt, bankName, refunds }: FlatSources) => ({
  applicationUserId: consumerIdOf(payment, attempt),
  paidAmount: poundsNumber(
    attempt ? totalPence(attempt) : addPence(leftPence(payment), tipToPay(payment)),
  ),
  ...partAmounts(payment, attempt),
  tipAmount: poundsNumber(attempt ? attempt.tipPence : tipToPay(payment)),
  ...(attempt ? refundMembers(attempt, refunds, false) : nothingRefunded),
  createdAt: (attempt?.createdAt ?? payment.createdAt).toISOString(),
  updatedAt: (attempt?.updatedAt ?? payment.updatedAt).toISOString(),
  paymentIdempotencyId: attempt?.paymentIdempotencyId ?? '',
  bankName: attempt ? bankName(attempt.institutionId) : null,
  institutionId: attempt?.institutionId ?? null,
  errorDescription: attempt && shownError(payment, attempt),
  statusDetails: attempt ? detailsView(attempt) : null,
  paymentRequest: {
    payee: {
      name: attempt?.creditor.name ?? payment.merchant.name,
      accountIdentifications: [],
    },
  },
});

const nothingRefunded = { totalRefundAmount: 0, refundDetails: [] };

/** Before a payment: what may be paid. */
const leftPence = ({ amountPence, paidPence }: Payment): Pence =>
  subtractPence(amountPence, paidPence);

const partAmounts = (payment: Payment, attempt: Attempt | null) => {
  const share = attempt ?? { amountPence: leftPence(payment) };
  const { taxPence, servicePence } = partsOfShare(payment, share);
  return { taxAmount: poundsNumber(taxPence), serviceAmount: poundsNumber(servicePence) };
};

const detailsView = (attempt: Attempt): Flat['statusDetails'] => {
  const details = statusDetailsOf(attempt);
  return details && { ...details, statusUpdateDate: details.statusUpdateDate.toISOString() };
};

/** Without a secret they are shown once there is something to prove (STATUS-3). */
const signatureMembers = ({ signatures, status }: FlatSources) => {
  if (!signatures || status !== 'COMPLETED') return {};
  const { signatureHash, signature } = signatures;
  return signature === null ? { signatureHash } : { signatureHash, signature };
};

/** The outcome of one payment, or of its request when that has ended first. */
export const attemptStatus = (payment: Payment, attempt: Attempt): string => {
  if (attempt.status !== 'CANCELLED') return attempt.status;
  const ofRequest = topStatus(payment);
  return ofRequest === 'EXPIRED' && attempt.endedReason === 'REQUEST_EXPIRED'
    ? 'EXPIRED'
    : 'CANCELLED';
};

import type { getPaymentStatus, ReplyOf } from '@florin/contract';
import { addPence, noPence, type Pence, poundsNumber } from '#kernel/pence.ts';
import type { V1Signatures } from '#modules/checkout/index.ts';
import {
  type Attempt,
  decidingAttempt,
  isCounted,
  latestAttempt,
  type Payment,
  partsOfShare,
  statusDetailsOf,
  type TopStatus,
  totalPence,
  wasHandedOver,
} from '#modules/payments/index.ts';
import type { Refund } from '#modules/refunds/index.ts';
import type { BankAccount } from '#rails/bank-rail.ts';
import { type CardSource, cardPaymentDetails } from './card-payment-details.ts';
import { refundMembers } from './refund-members.ts';

type Reply = ReplyOf<typeof getPaymentStatus>;
type Transaction = Reply['transactionDetails'][number];

export type StatusSources = {
  readonly status: TopStatus;
  readonly signatures: V1Signatures | null;
  readonly bankName: (institutionId: string) => string | null;
  readonly refundsOf: (attempt: Attempt) => readonly Refund[];
  readonly payerOf: (attempt: Attempt) => BankAccount | null;
  /** False for callers without a secret, who read no account, name or note (STATUS-3). */
  readonly showsPersonal: boolean;
};

/** STATUS-4. */
export const paymentStatusView = (payment: Payment, sources: StatusSources): Reply => {
  const { status } = sources;
  const shown = status === 'PAYMENT_NOT_INITIATED' ? [] : shownAttempts(payment);
  // A failed payment shows the attempted amount, as its transaction and its event do.
  const summed = status === 'FAILED' ? failedLast(shown) : shown.filter(isCounted);
  const sum = (part: (attempt: Attempt) => Pence) =>
    poundsNumber(summed.reduce((all, each) => addPence(all, part(each)), noPence));
  return {
    userUuid: null,
    paymentRequestId: payment.paymentRequestId,
    customerId: payment.merchantCustomerReference,
    merchantId: payment.tenant.merchantId,
    merchantName: payment.merchant.name,
    applicationUserId: latestAttempt(payment)?.applicationUserId ?? null,
    callback: null,
    avatar: payment.merchant.avatarUrl,
    orderId: payment.orderId,
    ...signaturesOf(sources, status),
    redirectUrlParams: payment.callbackParams,
    redirectUrl: payment.redirectUrl,
    status,
    ...(status === 'PAYMENT_NOT_INITIATED' ? { message: 'Payment not initiated' } : {}),
    paidAmount: sum(totalPence),
    currency: 'GBP',
    taxAmount: sum((attempt) => partsOfShare(payment, attempt).taxPence),
    serviceAmount: sum((attempt) => partsOfShare(payment, attempt).servicePence),
    tipAmount: sum(({ tipPence }) => tipPence),
    ...(sources.showsPersonal ? { notes: payment.notes } : {}),
    storeDetails: {
      id: payment.store.id,
      address: payment.store.address,
      locationName: payment.store.locationName,
    },
    transactionDetails: shown.map((attempt) => transactionView(payment, attempt, sources)),
  };
};

const failedLast = (shown: readonly Attempt[]): readonly Attempt[] =>
  shown.filter(({ status }) => status === 'FAILED').slice(-1);

/** One per payer of a split bill; else the attempt that decides the status. */
const shownAttempts = (payment: Payment): readonly Attempt[] => {
  const handedOver = payment.attempts.filter(wasHandedOver);
  if (payment.splitsBill) return handedOver;
  const deciding = decidingAttempt(payment);
  return deciding ? [deciding] : [];
};

/** Without a secret the signatures are shown only once there is something to prove (STATUS-3). */
const signaturesOf = ({ signatures, showsPersonal }: StatusSources, status: TopStatus) => {
  if (!signatures || (!showsPersonal && status !== 'COMPLETED')) return {};
  const { signatureHash, signature } = signatures;
  return signature === null ? { signatureHash } : { signatureHash, signature };
};

const transactionView = (
  payment: Payment,
  attempt: Attempt,
  sources: StatusSources,
): Transaction => {
  const details = statusDetailsOf(attempt);
  const parts = partsOfShare(payment, attempt);
  return {
    paymentIdempotencyId: attempt.paymentIdempotencyId,
    ...personalOf(payment, attempt, sources),
    institutionId: attempt.institutionId,
    tracingId: attempt.tracingId,
    statusDetails: details && {
      ...details,
      statusUpdateDate: details.statusUpdateDate.toISOString(),
    },
    paidAmount: poundsNumber(totalPence(attempt)),
    ...refundMembers(attempt, sources.refundsOf(attempt), sources.showsPersonal),
    currency: 'GBP',
    bankName: sources.bankName(attempt.institutionId),
    createdAt: attempt.createdAt.toISOString(),
    updatedAt: attempt.updatedAt.toISOString(),
    taxAmount: poundsNumber(parts.taxPence),
    serviceAmount: poundsNumber(parts.servicePence),
    tipAmount: poundsNumber(attempt.tipPence),
    errorDescription: attempt.errorDescription,
    paymentDevice: attempt.paymentDevice as Transaction['paymentDevice'],
    splitBill: payment.splitsBill,
    ...(attempt.card ? cardPaymentDetails(cardOf(attempt.card)) : {}),
  };
};

const cardOf = (card: NonNullable<Attempt['card']>): CardSource => ({
  ...card,
  brand: card.facts?.brand ?? null,
  expiresAt: card.authorisationExpiresBusinessAt,
});

const personalOf = (
  payment: Payment,
  attempt: Attempt,
  { showsPersonal, payerOf }: StatusSources,
): Partial<Transaction> => {
  if (!showsPersonal) return {};
  const payer = payerOf(attempt);
  const lastFour = attempt.card?.facts?.lastFourDigits;
  return {
    consumerId: attempt.applicationUserId,
    consumerName: payer?.name ?? attempt.consumerName,
    bankAccountNo: payer?.accountNumber ?? (lastFour ? `****${lastFour}` : null),
    notes: payment.notes,
  };
};

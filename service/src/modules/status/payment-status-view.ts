import type { getPaymentStatus, ReplyOf } from '@florin/contract';
import { addPence, noPence, type Pence, pence, poundsNumber } from '#kernel/pence.ts';
import type { V1Signatures } from '#modules/checkout/index.ts';
import {
  type Attempt,
  type CardRefund,
  decidingAttempt,
  isCounted,
  latestAttempt,
  type Payment,
  partsOfShare,
  refundedAtProcessor,
  statusDetailsOf,
  type TopStatus,
  totalPence,
  wasHandedOver,
} from '#modules/payments/index.ts';
import { type Refund, refundTypeOf } from '#modules/refunds/index.ts';
import { masked, seesPayerAccounts } from '#platform/http/payer-accounts.ts';
import type { Caller } from '#platform/http/route.ts';
import type { BankAccount } from '#rails/bank-rail.ts';

/** Of who paid: no name and account, the name with the last digits of the account, or all (STATUS-3). */
export type SeenOfPayer = 'NOTHING' | 'LAST_FOUR' | 'ALL';

export const seenOfPayer = (caller: Caller | null): SeenOfPayer => {
  if (!caller) return 'NOTHING';
  return seesPayerAccounts(caller) ? 'ALL' : 'LAST_FOUR';
};

type RefundDetails = ReplyOf<
  typeof getPaymentStatus
>['transactionDetails'][number]['refundDetails'][number];

/** STATUS-4. Those of ours, then those made in the processor's dashboard (REFUND-9). */
export const refundMembers = (
  attempt: Attempt,
  refunds: readonly Refund[],
  showsPersonal: boolean,
): { readonly totalRefundAmount: number; readonly refundDetails: RefundDetails[] } => {
  const atProcessor = attempt.card?.refunds ?? [];
  return {
    totalRefundAmount: poundsNumber(
      addPence(refundedPence(refunds), refundedAtProcessor(atProcessor)),
    ),
    refundDetails: [
      ...refunds.map((refund) => refundDetails(refund, showsPersonal)),
      ...atProcessor.map((refund) => processorRefundDetails(refund, totalPence(attempt))),
    ],
  };
};

/** Notes are personal: they may name the customer. */
const refundDetails = (refund: Refund, showsPersonal: boolean): RefundDetails => ({
  id: refund.refundId,
  amount: poundsNumber(refund.amountPence),
  currency: 'GBP',
  status: refund.status,
  createdAt: refund.createdAt.toISOString(),
  updatedAt: refund.updatedAt.toISOString(),
  refundNotes: showsPersonal ? refund.notes : null,
  refundType: refundTypeOf(refund),
  refundId: refund.refundId,
});

const processorRefundDetails = (
  { refundId, amountPence, refundedAt, failedAt }: CardRefund,
  paidPence: Pence,
): RefundDetails => ({
  id: refundId,
  amount: poundsNumber(amountPence),
  currency: 'GBP',
  status: failedAt ? 'FAILED' : 'COMPLETED',
  createdAt: refundedAt.toISOString(),
  updatedAt: (failedAt ?? refundedAt).toISOString(),
  refundNotes: null,
  refundType: refundTypeOf({ amountPence, paidPence }),
  refundId,
});

/** Returned, or on its way: neither failed nor cancelled. */
const refundedPence = (refunds: readonly Refund[]): Pence =>
  refunds
    .filter(({ status }) => status !== 'FAILED' && status !== 'CANCELLED')
    .reduce((sum, { amountPence }) => addPence(sum, amountPence), noPence);

type CardDetails = NonNullable<
  ReplyOf<typeof getPaymentStatus>['transactionDetails'][number]['cardPaymentDetails']
>;

type CardSource = {
  readonly brand: string | null;
  readonly captureType: string;
  readonly initiator: 'MERCHANT' | 'CUSTOMER';
  readonly cardId: string | null;
  readonly expiresAt: Date | null;
};

/** CARD-18. An authorisation expires only when it is captured by hand. */
export const cardPaymentDetails = (
  card: CardSource,
): { readonly cardPaymentDetails: CardDetails } => ({
  cardPaymentDetails: {
    cardType: card.brand,
    transactionSubType: 'CARD',
    captureType: card.captureType,
    metadata: { isMitPayment: card.initiator === 'MERCHANT' },
    paymentMethodId: card.cardId,
    ...(card.expiresAt ? { expiresAt: card.expiresAt.toISOString() } : {}),
  },
});

type Reply = ReplyOf<typeof getPaymentStatus>;
type Transaction = Reply['transactionDetails'][number];

type StatusSources = {
  readonly status: TopStatus;
  readonly signatures: V1Signatures | null;
  readonly bankName: (institutionId: string) => string | null;
  readonly refundsOf: (attempt: Attempt) => readonly Refund[];
  readonly payerOf: (attempt: Attempt) => BankAccount | null;
  readonly seen: SeenOfPayer;
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
    ...(sources.seen === 'NOTHING' ? {} : merchantTexts(payment)),
    storeDetails: {
      id: payment.store.id,
      address: payment.store.address,
      locationName: payment.store.locationName,
    },
    transactionDetails: shown.map((attempt) => transactionView(payment, attempt, sources)),
  };
};

/** What the merchant said of it: personal, since it may name the customer. */
const merchantTexts = ({ notes, lineItems, payerNote }: Payment) => ({
  notes,
  lineItems:
    lineItems?.map(({ name, quantity, amountPence }) => ({
      name,
      quantity,
      amount: poundsNumber(pence(amountPence)),
    })) ?? null,
  payerNote,
});

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
const signaturesOf = ({ signatures, seen }: StatusSources, status: TopStatus) => {
  if (!signatures || (seen === 'NOTHING' && status !== 'COMPLETED')) return {};
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
    ...refundMembers(attempt, sources.refundsOf(attempt), sources.seen !== 'NOTHING'),
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
  { seen, payerOf }: StatusSources,
): Partial<Transaction> => {
  if (seen === 'NOTHING') return {};
  const payer = payerOf(attempt);
  const account = payer?.accountNumber ?? attempt.card?.facts?.lastFourDigits;
  return {
    consumerId: attempt.applicationUserId,
    consumerName: payer?.name ?? attempt.consumerName,
    bankAccountNo: payer && seen === 'ALL' ? payer.accountNumber : masked(account),
    notes: payment.notes,
  };
};

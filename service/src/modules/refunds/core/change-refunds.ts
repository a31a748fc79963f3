import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { lifecycle } from '#kernel/lifecycle.ts';
import {
  type EventDraft,
  posPaymentStatusBody,
  refundStatusBody,
  type VoidedSale,
} from '#modules/events/index.ts';
import { type EntryPair, type Posting, post } from '#modules/ledger/index.ts';
import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type { EndedTransfer, TransferOutcome } from '#modules/transfers/index.ts';
import type { Ids } from '#platform/clock.ts';
import type { Uses } from '#platform/tools.ts';
import type { Refund } from './refund.ts';
import { commitRefunds } from './store/commit-refunds.ts';
import { readRefund } from './store/read-refunds.ts';

/** REFUND-2. A simulated failure of the sandbox begins, and ends, as FAILED (REFUND-6). */
export const refundLifecycle = lifecycle({
  name: 'refund',
  initial: 'INITIATED',
  alsoStartsAt: ['FAILED'],
  states: ['INITIATED', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  edges: [
    { from: 'INITIATED', trigger: 'prepared', to: 'PENDING' },
    { from: 'INITIATED', trigger: 'cancelled', to: 'CANCELLED' },
    { from: 'INITIATED', trigger: 'paymentReversed', to: 'FAILED' },
    { from: 'PENDING', trigger: 'cancelled', to: 'CANCELLED' },
    { from: 'PENDING', trigger: 'paymentReversed', to: 'FAILED' },
    { from: 'PENDING', trigger: 'settled', to: 'COMPLETED' },
    { from: 'PENDING', trigger: 'rejected', to: 'FAILED' },
    // The bank or the processor had confirmed it, and the money came back.
    { from: 'COMPLETED', trigger: 'returned', to: 'FAILED' },
  ],
});

export type RefundStatus = (typeof refundLifecycle.states)[number];
export type RefundTrigger = (typeof refundLifecycle.edges)[number]['trigger'];

type HistoryRow = {
  readonly fromStatus: RefundStatus;
  readonly toStatus: RefundStatus;
  /** An account that is entered moves no status. */
  readonly trigger: RefundTrigger | 'accountEntered';
  readonly detail: string | null;
};

/** What one statement will write of a refund. `refund` is its new state. */
export type Change = {
  refund: Refund;
  readonly before: Refund;
  readonly history: HistoryRow[];
  readonly postings: Posting[];
  readonly events: EventDraft[];
  readonly cases: OperatorCase[];
  readonly ended: EndedTransfer[];
};

export const draftChange = (refund: Refund): Change => ({
  refund,
  before: refund,
  history: [],
  postings: [],
  events: [],
  cases: [],
  ended: [],
});

type Patch = Partial<
  Pick<
    Refund,
    | 'step'
    | 'waitsFor'
    | 'accountEncrypted'
    | 'endToEndId'
    | 'railStateEncrypted'
    | 'railReference'
    | 'errorCode'
    | 'errorDescription'
    | 'pollCount'
    | 'dueBusinessAt'
    | 'handedOverAt'
  >
>;

export const noteRefund = (change: Change, patch: Patch): void => {
  change.refund = { ...change.refund, ...patch };
};

/** The transfer of the refund has ended so. */
export const endTransfer = ({ before, ended }: Change, outcome: TransferOutcome): void => {
  const { refundId: resourceId, endToEndId } = before;
  if (endToEndId !== null) ended.push({ resourceId, endToEndId, outcome });
};

/** Moves a refund along its table; what ends it is reported as an event. */
export const moveRefund = (
  tools: { readonly ids: Ids },
  change: Change,
  trigger: RefundTrigger,
  patch: Patch = {},
): void => {
  const { refund } = change;
  const status = refundLifecycle.next(refund.status, trigger);
  if (!status) throw new Failure(failures.invalidState);
  change.history.push({
    fromStatus: refund.status,
    toStatus: status,
    trigger,
    detail: patch.errorDescription ?? patch.waitsFor ?? null,
  });
  const moved = { ...refund, ...patch, status, updatedAt: refund.now };
  if (!isReported(status)) {
    change.refund = moved;
    return;
  }
  const ended = {
    ...moved,
    status,
    step: 'ENDED' as const,
    waitsFor: null,
    dueBusinessAt: null,
    eventSequence: refund.eventSequence + 1,
  };
  change.refund = ended;
  change.events.push(...refundEvents(tools, ended));
};

const maxTries = 50;

export const changesTooOften = (): Failure =>
  new Failure(failures.unavailable, {
    message: 'The refund keeps changing. Read it, then retry.',
    retryAfterSeconds: 1,
  });

/**
 * One read, one decision, one guarded statement. After a lost race it decides again on the new
 * state. `decide` says whether there is anything to write.
 */
export const changeRefund = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  refundId: string,
  decide: (refund: Refund, change: Change) => boolean,
): Promise<Refund> => {
  for (let round = 0; round < maxTries; round += 1) {
    const refund = await readRefund(tools.database, tenant, refundId);
    if (!refund) throw new Failure(failures.notFound);
    const change = draftChange(refund);
    if (!decide(refund, change)) return refund;
    const { refundIds, endpoints } = await commitRefunds(tools.database, tenant, [change]);
    if (refundIds.length === 0) continue;
    tools.wakeDispatcher(endpoints);
    return { ...change.refund, version: refund.version + 1 };
  }
  throw changesTooOften();
};

type Reason = 'REFUND_HANDED_OVER' | 'REFUND_COMPLETED' | 'REFUND_FAILED' | 'REFUND_RETURNED';

/** Card money never passes through the operator: it is booked once the processor has returned it. */
export const handedOverPostings = (refund: Refund, transactionId: string): readonly Posting[] =>
  refund.method === 'CARD'
    ? []
    : entries(refund, transactionId, 'REFUND_HANDED_OVER', [
        { debit: 'MERCHANT_PAYABLE', credit: 'REFUNDS_IN_TRANSIT', amount: refund.amountPence },
      ]);

export const completedPostings = (refund: Refund, transactionId: string): readonly Posting[] =>
  entries(refund, transactionId, 'REFUND_COMPLETED', [completedPair(refund)]);

/** The bank rejected an accepted transfer: nothing has left the collecting account. */
export const rejectedPostings = (refund: Refund, transactionId: string): readonly Posting[] =>
  refund.method === 'CARD'
    ? []
    : entries(refund, transactionId, 'REFUND_FAILED', [
        { debit: 'REFUNDS_IN_TRANSIT', credit: 'MERCHANT_PAYABLE', amount: refund.amountPence },
      ]);

/** The money left and was returned: it is the merchant's again. */
export const returnedPostings = (refund: Refund, transactionId: string): readonly Posting[] => {
  const { amountPence: amount } = refund;
  if (refund.method === 'CARD')
    return entries(refund, transactionId, 'REFUND_RETURNED', [
      { debit: 'SETTLED_BY_PROCESSOR', credit: 'MERCHANT_PAID_DIRECTLY', amount },
    ]);
  return entries(refund, transactionId, 'REFUND_RETURNED', [
    { debit: 'COLLECTING_ACCOUNT', credit: 'RETURNS', amount },
    { debit: 'RETURNS', credit: 'MERCHANT_PAYABLE', amount },
  ]);
};

const completedPair = ({ method, amountPence: amount }: Refund): EntryPair =>
  method === 'CARD'
    ? { debit: 'MERCHANT_PAID_DIRECTLY', credit: 'SETTLED_BY_PROCESSOR', amount }
    : { debit: 'REFUNDS_IN_TRANSIT', credit: 'COLLECTING_ACCOUNT', amount };

const entries = (
  refund: Refund,
  transactionId: string,
  reason: Reason,
  pairs: readonly EntryPair[],
): readonly Posting[] =>
  post(
    {
      transactionId,
      reason,
      resourceId: refund.refundId,
      attemptId: null,
      storeId: refund.storeId,
      occurredAt: refund.now,
    },
    pairs,
  );

type Reported = 'COMPLETED' | 'FAILED' | 'CANCELLED';
type Ended = Refund & { readonly status: Reported };

/**
 * REFUND_STATUS of a refund after the change. Of a payment of the till POS_PAYMENT_STATUS, which knows no
 * cancelled void: then nothing is emitted (EVENT-2).
 */
export const refundEvents = (
  tools: { readonly ids: Ids },
  refund: Ended,
): readonly EventDraft[] => {
  if (!refund.sale) return [draft(tools, refund, 'REFUND_STATUS', refundBody(refund))];
  if (refund.status === 'CANCELLED') return [];
  const body = voidBody(refund, refund.status, refund.sale);
  return [draft(tools, refund, 'POS_PAYMENT_STATUS', body)];
};

const draft = (
  { ids }: { readonly ids: Ids },
  refund: Refund,
  eventType: EventDraft['eventType'],
  body: object,
): EventDraft => ({
  eventId: ids.uuid(),
  eventType,
  resourceId: refund.refundId,
  sequence: refund.eventSequence,
  dedupeKey: `refund:${refund.refundId}:${refund.eventSequence}`,
  signingSecretId: refund.secretId,
  occurredAt: refund.now,
  body,
  requestId: refund.requestId,
  traceparent: refund.traceparent,
});

const refundBody = (refund: Ended): object =>
  refundStatusBody({
    refundId: refund.refundId,
    paymentRequestId: refund.paymentRequestId,
    paymentIdempotencyId: refund.paymentIdempotencyId,
    status: refund.status,
    paidPence: refund.paidPence,
    refundPence: refund.amountPence,
    refundNotes: refund.notes,
    orderId: refund.orderId,
    createdAt: refund.createdAt,
    updatedAt: refund.now,
  });

const voidBody = (refund: Refund, status: 'COMPLETED' | 'FAILED', sale: VoidedSale): object =>
  posPaymentStatusBody({
    ...sale,
    kind: 'VOID',
    status,
    statusDetails: null,
    merchantId: refund.tenant.merchantId,
    refundId: refund.refundId,
    refundPence: refund.amountPence,
    paidPence: refund.paidPence,
    paymentRequestId: refund.paymentRequestId,
    paymentIdempotencyId: refund.paymentIdempotencyId,
    transactionType: refund.method === 'CARD' ? 'CARD' : 'OPEN_BANKING',
    orderId: refund.orderId,
    createdAt: refund.createdAt,
    updatedAt: refund.now,
    errorDescription: refund.errorDescription,
    splitBill: false,
  });

export const isReported = (status: Refund['status']): status is Reported =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELLED';

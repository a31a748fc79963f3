import type { ReplyOf } from '@florin/contract';
import type { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import type { Lifecycle } from '#kernel/lifecycle.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { AttemptNote, attemptLifecycle, requestLifecycle } from '#modules/payments/index.ts';
import type { approvalLifecycle, refundLifecycle } from '#modules/refunds/index.ts';
import { explainDelivery } from './explain-delivery.ts';
import { forMerchant } from './insights.ts';
import type {
  AnswerRow,
  ApprovalRow,
  ChangeRow,
  MoneyRow,
  RequestRow,
  SentRow,
} from './timeline.ts';

type Entry = ReplyOf<typeof getPaymentTimeline>['entries'][number];
type Actor = Entry['by']['kind'];

type Described = { readonly title: string; readonly by: Actor };

const change = (title: string, by: Actor): Described => ({ title, by });

type TriggerOf<Table extends Pick<Lifecycle<string, string>, 'edges'>> =
  Table['edges'][number]['trigger'];

type Step =
  | `REQUEST ${TriggerOf<typeof requestLifecycle>}`
  | `ATTEMPT ${'started' | AttemptNote | TriggerOf<typeof attemptLifecycle>}`
  | `REFUND ${'requested' | TriggerOf<typeof refundLifecycle>}`;

const changes: Readonly<Record<string, Described>> = {
  'REQUEST paid': change('Paid in full', 'SYSTEM'),
  'REQUEST expired': change('The request expired', 'TIME'),
  'REQUEST cancelledByMerchant': change('The request was cancelled', 'API'),
  'REQUEST chargeEnded': change('The charge ended without a payment', 'SYSTEM'),
  'REQUEST paymentReversed': change('Open again: the payment was taken back', 'BANK'),
  'ATTEMPT started': change('The customer started to pay', 'PAYER'),
  'ATTEMPT submitted': change('The customer approved it, and it was handed to the bank', 'PAYER'),
  'ATTEMPT declinedByPayer': change('The customer said no at the bank', 'PAYER'),
  'ATTEMPT superseded': change('The customer started again', 'PAYER'),
  'ATTEMPT abandoned': change('Not approved in time', 'TIME'),
  'ATTEMPT requestExpired': change('Ended with the request', 'TIME'),
  'ATTEMPT requestCancelled': change('Ended: the request was cancelled', 'API'),
  'ATTEMPT refusedByBank': change('The bank refused it', 'BANK'),
  'ATTEMPT exchangeLost': change('Interrupted before it was sent', 'SYSTEM'),
  'ATTEMPT accepted': change('The bank accepted the payment', 'BANK'),
  'ATTEMPT rejected': change('The bank rejected the payment', 'BANK'),
  'ATTEMPT reversed': change('The bank reversed the payment', 'BANK'),
  'ATTEMPT paidAtProcessor': change('Paid by card', 'PAYER'),
  'ATTEMPT declinedAtProcessor': change('The card was declined', 'BANK'),
  'ATTEMPT cancelledAtProcessor': change('Ended at the card processor', 'BANK'),
  'ATTEMPT authorised': change('The amount is held on the card', 'BANK'),
  'ATTEMPT captured': change('The held amount was taken', 'API'),
  'ATTEMPT cancelledByMerchant': change('The held amount was released', 'API'),
  'ATTEMPT authorisationExpired': change('The card released the held amount', 'TIME'),
  'ATTEMPT captureStarted': change('The held amount is being taken', 'API'),
  'ATTEMPT captureRefused': change('The card processor refused to take the held amount', 'BANK'),
  'ATTEMPT cancelStarted': change('The held amount is being released', 'API'),
  'ATTEMPT cancelRefused': change('The card processor refused to release the amount', 'BANK'),
  'ATTEMPT refundedLate': change('It came too late, and goes back to the customer', 'SYSTEM'),
  'ATTEMPT lateRefundFailed': change('Money that came too late could not go back', 'BANK'),
  'ATTEMPT creditSeen': change('The money has arrived', 'BANK'),
  'ATTEMPT fundsConfirmed': change('The bank confirmed that there is enough money', 'BANK'),
  'ATTEMPT refundedAtProcessor': change("Refunded in the card processor's own pages", 'SYSTEM'),
  'ATTEMPT refundAtProcessorFailed': change('The bank returned that refund', 'BANK'),
  'ATTEMPT outcomeRecordedByOperator': change('The operator recorded what became of it', 'SYSTEM'),
  'ATTEMPT disputed': change('The customer disputes the payment', 'BANK'),
  'ATTEMPT disputeWon': change('The dispute was won', 'BANK'),
  'ATTEMPT disputeLost': change('The dispute was lost', 'BANK'),
  'REFUND requested': change('Refund requested', 'API'),
  'REFUND prepared': change('Refund is prepared', 'SYSTEM'),
  'REFUND cancelled': change('Refund was cancelled', 'API'),
  'REFUND paymentReversed': change('Refund ended: the payment was taken back', 'BANK'),
  'REFUND settled': change('Refund has left for the customer', 'BANK'),
  'REFUND rejected': change('The bank rejected the refund', 'BANK'),
  'REFUND returned': change('The bank returned the refund', 'BANK'),
} satisfies Record<Step, Described>;

/** Of a refund that a second person decides about (REFUND-11). */
const approvals: Readonly<Record<string, string>> = {
  proposed: 'Refund proposed: another person decides',
  approved: 'Refund approved',
  declined: 'Refund declined',
  withdrawn: 'The proposal of a refund was withdrawn',
  refused: 'The refund was approved, and could not be made any more',
} satisfies Record<'proposed' | TriggerOf<typeof approvalLifecycle>, string>;

/** Of the answer to a dispute (CARD-21), by the status that it had. */
const answers: Readonly<Record<string, string>> = {
  drafted: 'The answer to the dispute was begun',
  'DRAFT submitted': 'Evidence was sent for the dispute',
  'SUBMITTING taken': 'The card processor has the evidence',
  'SUBMITTING refused': 'The card processor did not take the evidence',
  'SUBMITTED reopened': 'The bank took the money after it had asked: answer again',
  'DRAFT accepted': 'The loss of the dispute was accepted',
  'ACCEPTING taken': 'The card processor closed the dispute',
  'ACCEPTING refused': 'The card processor did not close the dispute',
};

/** Ledger reasons of bookings that change no state. */
const bookings: Readonly<Record<string, Described>> = {
  PAYMENT_SETTLED: change('It can be paid out to you', 'SYSTEM'),
  FEE_CHARGED: change('Fee charged', 'SYSTEM'),
  FEE_RETURNED: change('Fee returned', 'SYSTEM'),
  TRANSFER_DIFFERENCE: change('The bank booked another amount than was ordered', 'BANK'),
  PAYMENT_DISPUTED: change('Taken back because of the dispute', 'BANK'),
  DISPUTE_WON: change('Given back: the dispute was won', 'BANK'),
  REFUNDED_AT_PROCESSOR: change('Gone back to the card', 'BANK'),
  REFUND_AT_PROCESSOR_FAILED: change('Come back from the card', 'BANK'),
};

export const bookedReasons = Object.keys(bookings);

export type Names = {
  readonly people: ReadonlyMap<string, string>;
  readonly banks: ReadonlyMap<string, string>;
};

export type Made = { readonly maker_id: string | null; readonly secret_name: string | null };

type Known = Pick<Entry, 'kind' | 'title' | 'by' | 'subjectId'> & Partial<Omit<Entry, 'at'>>;

const entryOf = (at: Date, known: Known): Entry => ({
  ...{ detail: null, status: null, amount: null, endpointId: null, deliveryId: null },
  ...known,
  at: at.toISOString(),
});

const poundsOf = (amountPence: bigint): number => poundsNumber(pence(amountPence));

const makerOf = (made: Made, { people }: Names): Entry['by'] => {
  if (made.secret_name !== null) return { kind: 'API', name: made.secret_name };
  return { kind: 'PERSON', name: people.get(made.maker_id ?? '') ?? null };
};

export const requestEntry = (subjectId: string, request: RequestRow, names: Names): Entry => {
  const isOfCode = request.channel === 'CODE';
  return entryOf(request.created_at, {
    kind: 'REQUEST',
    title: isOfCode ? 'The customer opened a printed code' : 'Payment requested',
    status: 'OPEN',
    amount: poundsOf(request.amount_pence),
    by: isOfCode ? { kind: 'PAYER', name: null } : makerOf(request, names),
    subjectId,
  });
};

/** A change of state in plain words (DASHBOARD-43), by subject and trigger of the lifecycle tables. */
export const changeEntry = (row: ChangeRow, names: Names): Entry => {
  const { title, by } = changes[`${row.subject} ${row.trigger}`] ?? change(row.trigger, 'SYSTEM');
  return entryOf(row.occurred_at, {
    kind: row.subject,
    title,
    detail: forMerchant(row.why) ?? row.detail,
    status: row.to_status,
    amount: row.pence === null ? null : poundsOf(row.pence),
    by: actorOf(row, by, names),
    subjectId: row.subject_id,
  });
};

const actorOf = (row: ChangeRow, kind: Actor, names: Names): Entry['by'] => {
  if (kind === 'BANK') return { kind, name: names.banks.get(row.institution_id ?? '') ?? null };
  if (kind === 'API' && row.maker_id !== null) return makerOf(row, names);
  return { kind, name: null };
};

export const approvalEntry = (row: ApprovalRow): Entry =>
  entryOf(row.occurred_at, {
    kind: 'REFUND',
    title: approvals[row.trigger] ?? row.trigger,
    detail: row.detail,
    amount: poundsOf(row.amount_pence),
    by: { kind: 'PERSON', name: row.person_name },
    subjectId: row.approval_id,
  });

export const answerEntry = (row: AnswerRow): Entry =>
  entryOf(row.occurred_at, {
    kind: 'ATTEMPT',
    title:
      answers[row.from_status ? `${row.from_status} ${row.trigger}` : row.trigger] ?? row.trigger,
    detail: row.detail,
    by: row.person_name ? { kind: 'PERSON', name: row.person_name } : { kind: 'BANK', name: null },
    subjectId: row.answer_id,
  });

export const moneyEntry = (row: MoneyRow): Entry =>
  entryOf(row.occurred_at, {
    kind: 'MONEY',
    title: bookings[row.reason]?.title ?? row.reason,
    amount: poundsOf(row.pence),
    by: { kind: bookings[row.reason]?.by ?? 'SYSTEM', name: null },
    subjectId: row.resource_id,
  });

/** The event once, before its first delivery. */
export const sentEntries = (
  row: SentRow,
  at: number,
  rows: readonly SentRow[],
): readonly Entry[] => {
  const of = { by: { kind: 'SYSTEM', name: null }, subjectId: row.event_id } as const;
  const event = entryOf(row.occurred_at, {
    ...{ ...of, kind: 'EVENT', title: `Event ${row.event_type}`, status: row.event_status },
  });
  const isFirst = rows[at - 1]?.event_id !== row.event_id;
  const events = isFirst ? [event] : [];
  if (row.delivery_id === null || row.delivered_at === null) return events;
  const why = explainDelivery({ outcome: row.last_error, status: row.last_status });
  const delivery = entryOf(row.delivered_at, {
    ...of,
    kind: 'DELIVERY',
    title: `${row.kind === 'REPLAY' ? 'Replay' : 'Delivery'} to ${row.url}`,
    detail: why?.title ?? null,
    status: row.state,
    endpointId: row.endpoint_id,
    deliveryId: String(row.delivery_id),
  });
  return [...events, delivery];
};

import { failures, limits, type ReplyOf } from '@florin/contract';
import type { getPaymentTimeline as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { BankRails } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { explainDelivery } from './explain-delivery.ts';
import {
  type ApprovalRow,
  type ChangeRow,
  listApprovalSteps,
  listBookings,
  listChanges,
  listMembers,
  listSent,
  type MoneyRow,
  type RequestRow,
  readRequest,
  type SentRow,
} from './store/timeline.ts';

type Actor = 'PAYER' | 'API' | 'PERSON' | 'BANK' | 'TIME' | 'SYSTEM';

type Described = { readonly title: string; readonly by: Actor };

/** A change of state in plain words (DASHBOARD-43), by subject and trigger of the lifecycle tables. */
const describeChange = (subject: string, trigger: string): Described =>
  changes[`${subject} ${trigger}`] ?? { title: trigger, by: 'SYSTEM' };

const change = (title: string, by: Actor): Described => ({ title, by });

const changes: Readonly<Record<string, Described>> = {
  'REQUEST paid': change('Paid in full', 'SYSTEM'),
  'REQUEST expired': change('The request expired', 'TIME'),
  'REQUEST cancelledByMerchant': change('The request was cancelled', 'API'),
  'REQUEST chargeEnded': change('The charge ended without a payment', 'SYSTEM'),
  'REQUEST paymentReversed': change('Open again: the payment was reversed', 'BANK'),
  'ATTEMPT started': change('The payer started to pay', 'PAYER'),
  'ATTEMPT submitted': change('The payer approved it, and it was handed to the bank', 'PAYER'),
  'ATTEMPT declinedByPayer': change('The payer said no at the bank', 'PAYER'),
  'ATTEMPT superseded': change('The payer started again', 'PAYER'),
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
  'REFUND requested': change('Refund requested', 'API'),
  'REFUND prepared': change('Refund is prepared', 'SYSTEM'),
  'REFUND cancelled': change('Refund was cancelled', 'API'),
  'REFUND paymentReversed': change('Refund ended: the payment was reversed', 'BANK'),
  'REFUND settled': change('Refund has left for the payer', 'BANK'),
  'REFUND rejected': change('The bank rejected the refund', 'BANK'),
  'REFUND returned': change('The bank returned the refund', 'BANK'),
};

/** Of a refund that a second person decides about (REFUND-11). */
const approvals: Readonly<Record<string, string>> = {
  proposed: 'Refund proposed: another person decides',
  approved: 'Refund approved',
  declined: 'Refund declined',
  withdrawn: 'The proposal of a refund was withdrawn',
  refused: 'The refund was approved, and could not be made any more',
};

/** Bookings that change no state. */
const bookings: Readonly<Record<string, Described>> = {
  PAYMENT_SETTLED: change('The money has arrived', 'BANK'),
  FEE_CHARGED: change('Fee charged', 'SYSTEM'),
  FEE_RETURNED: change('Fee returned', 'SYSTEM'),
  TRANSFER_DIFFERENCE: change('The bank booked another amount than was ordered', 'BANK'),
  PAYMENT_DISPUTED: change('The card holder disputes the payment', 'BANK'),
  DISPUTE_WON: change('The dispute was won', 'BANK'),
  REFUNDED_AT_PROCESSOR: change("Refunded in the card processor's own dashboard", 'SYSTEM'),
  REFUND_AT_PROCESSOR_FAILED: change('The bank returned that refund', 'BANK'),
};

type Timeline = ReplyOf<typeof operation>;
type Entry = Timeline['entries'][number];
type TimelineTools = Uses<'database'> & { readonly bankRails: BankRails };

/** DASHBOARD-43: what is known of a payment, in one order. */
export const getPaymentTimeline = async (
  tools: TimelineTools,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Timeline> => {
  const { database } = tools;
  const { merchantId } = tenant;
  const limit = limits.timelineEntriesMax;
  const values = { ...tenant, paymentRequestId, limit };
  const reasons = Object.keys(bookings);
  const [[request], changes, approved, money, sent] = await Promise.all([
    database.tenant(merchantId, readRequest, values),
    database.tenant(merchantId, listChanges, values),
    database.tenant(merchantId, listApprovalSteps, values),
    database.tenant(merchantId, listBookings, { ...values, reasons }),
    database.tenant(merchantId, listSent, values),
  ]);
  if (!request) throw new Failure(failures.notFound);
  const nameOf = await namesOf(tools, tenant, [request, ...changes]);
  const maker = isOfCode(request) ? payer : makerOf(request, nameOf.people);
  const entries = [
    requestEntry(paymentRequestId, request, maker),
    ...changes.map((row) => changeEntry(row, nameOf)),
    ...approved.map(approvalEntry),
    ...money.map(moneyEntry),
    ...sent.flatMap(sentEntries),
  ];
  return {
    paymentRequestId,
    status: request.status,
    amount: poundsNumber(pence(request.amount_pence)),
    paidAmount: poundsNumber(pence(request.paid_pence)),
    orderId: request.order_id,
    customerId: request.customer_reference,
    notes: request.notes,
    storeName: request.store_name,
    createdAt: request.created_at.toISOString(),
    expiresAt: request.expires_at.toISOString(),
    entries: entries.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at))),
    isWhole: [changes, approved, money, sent].every(({ length }) => length < limit),
  };
};

type Names = {
  readonly people: ReadonlyMap<string, string>;
  readonly banks: ReadonlyMap<string, string>;
};

type Made = { readonly maker_id: string | null; readonly secret_name: string | null };

const namesOf = async (
  { database, bankRails }: TimelineTools,
  { merchantId, environment }: Tenant,
  made: readonly Made[],
): Promise<Names> => {
  const personIds = made.flatMap(({ maker_id: id, secret_name: name }) =>
    id !== null && name === null ? [id] : [],
  );
  const people =
    personIds.length === 0 ? [] : await database.system(listMembers, { merchantId, personIds });
  const banks = bankRails.find(environment)?.institutions() ?? [];
  return {
    people: new Map(people.map(({ person_id: id, name }) => [id, name])),
    banks: new Map(banks.map(({ id, name }) => [id, name])),
  };
};

const makerOf = (made: Made, people: Names['people']): Entry['by'] => {
  if (made.secret_name !== null) return { kind: 'API', name: made.secret_name };
  return { kind: 'PERSON', name: people.get(made.maker_id ?? '') ?? null };
};

const requestEntry = (subjectId: string, request: RequestRow, by: Entry['by']): Entry => ({
  at: request.created_at.toISOString(),
  kind: 'REQUEST',
  title: isOfCode(request) ? 'The payer opened a printed code' : 'Payment requested',
  detail: null,
  status: 'OPEN',
  amount: poundsNumber(pence(request.amount_pence)),
  by,
  subjectId,
  endpointId: null,
  deliveryId: null,
});

const isOfCode = ({ channel }: RequestRow): boolean => channel === 'CODE';

const payer = { kind: 'PAYER', name: null } as const;

const approvalEntry = (row: ApprovalRow): Entry => ({
  at: row.occurred_at.toISOString(),
  kind: 'REFUND',
  title: approvals[row.trigger] ?? row.trigger,
  detail: row.detail,
  status: null,
  amount: poundsNumber(pence(row.amount_pence)),
  by: { kind: 'PERSON', name: row.person_name },
  subjectId: row.approval_id,
  endpointId: null,
  deliveryId: null,
});

const changeEntry = (row: ChangeRow, names: Names): Entry => {
  const { title, by } = describeChange(row.subject, row.trigger);
  return {
    at: row.occurred_at.toISOString(),
    kind: row.subject,
    title,
    detail: row.why ?? row.detail,
    status: row.to_status,
    amount: row.pence === null ? null : poundsNumber(pence(row.pence)),
    by: actorOf(row, by, names),
    subjectId: row.subject_id,
    endpointId: null,
    deliveryId: null,
  };
};

const actorOf = (row: ChangeRow, kind: Entry['by']['kind'], names: Names): Entry['by'] => {
  if (kind === 'BANK') return { kind, name: names.banks.get(row.institution_id ?? '') ?? null };
  if (kind !== 'API') return { kind, name: null };
  return row.maker_id === null ? { kind, name: null } : makerOf(row, names.people);
};

const moneyEntry = (row: MoneyRow): Entry => ({
  at: row.occurred_at.toISOString(),
  kind: 'MONEY',
  title: bookings[row.reason]?.title ?? row.reason,
  detail: null,
  status: null,
  amount: poundsNumber(pence(row.pence)),
  by: { kind: bookings[row.reason]?.by ?? 'SYSTEM', name: null },
  subjectId: row.resource_id,
  endpointId: null,
  deliveryId: null,
});

const system = { kind: 'SYSTEM', name: null } as const;

/** The event once, before its first delivery. */
const sentEntries = (row: SentRow, at: number, rows: readonly SentRow[]): readonly Entry[] => {
  const isFirst = rows[at - 1]?.event_id !== row.event_id;
  const event: Entry = {
    at: row.occurred_at.toISOString(),
    kind: 'EVENT',
    title: `Event ${row.event_type}`,
    detail: null,
    status: row.event_status,
    amount: null,
    by: system,
    subjectId: row.event_id,
    endpointId: null,
    deliveryId: null,
  };
  const delivery = deliveryEntry(row);
  return [...(isFirst ? [event] : []), ...(delivery ? [delivery] : [])];
};

const deliveryEntry = (row: SentRow): Entry | null => {
  if (row.delivery_id === null || row.delivered_at === null) return null;
  const why = explainDelivery({ outcome: row.last_error, status: row.last_status });
  return {
    at: row.delivered_at.toISOString(),
    kind: 'DELIVERY',
    title: `${row.kind === 'REPLAY' ? 'Replay' : 'Delivery'} to ${row.url}`,
    detail: why?.title ?? null,
    status: row.state,
    amount: null,
    by: system,
    subjectId: row.event_id,
    endpointId: row.endpoint_id,
    deliveryId: String(row.delivery_id),
  };
};

import { brokenInvariants } from '../../../service/src/modules/ledger/store/broken-invariants.ts';
import {
  attemptLifecycle,
  requestLifecycle,
} from '../../../service/src/modules/payments/core/payment-lifecycles.ts';
import { findBrokenTransfers } from './find-broken-transfers.ts';
import { lookInto } from './look-into.ts';

type Row = Readonly<Record<string, unknown>>;

export type InvariantOptions = {
  /** All jobs have run and no payer is at a bank: nothing may be left open or overdue. */
  readonly isQuiet?: boolean;
  /** The bank's script holds some money forever: such attempts may stay PENDING. */
  readonly mayStayPending?: boolean;
  /** Checks this merchant's rows only, as row-level security shows them. */
  readonly merchantId?: string;
};

/** What must be true at any time, and at rest: one sentence for each broken invariant. */
export const findBrokenInvariants = async (
  databaseUrl: string,
  options: InvariantOptions = {},
): Promise<readonly string[]> => {
  return lookInto(databaseUrl, async (client) => {
    if (options.merchantId) {
      await client.query('set role florin_tenant');
      await client.query(`set florin.merchants = '{${options.merchantId}}'`);
    }
    const rows = async (text: string): Promise<Row[]> => (await client.query(text)).rows;
    const found = [
      ...(await findUnwantedRows(rows, always)),
      ...(await findUnwantedRows(rows, conservation)),
      ...findBrokenHistories(await rows(histories)),
      ...findBrokenEvents(await rows(emittedEvents)),
      ...(await findBrokenTransfers(rows)),
    ];
    if (!options.isQuiet) return found;
    const quiet = options.mayStayPending ? restExceptPending : rest;
    return [...found, ...(await findUnwantedRows(rows, quiet))];
  });
};

type Query = (text: string) => Promise<Row[]>;

/** Each finds rows that must not exist. */
const always: Readonly<Record<string, string>> = {
  'MONEY-9 a ledger transaction has a remainder': `select transaction_id from ledger_entry
     group by merchant_id, environment, transaction_id having sum(amount_pence) <> 0`,
  'MONEY-10 the accounts together hold money':
    'select sum(amount_pence) from ledger_entry having sum(amount_pence) <> 0',
  'MONEY-14 more than one attempt of a request is submitted': `select payment_request_id from attempt
     where status in ('PENDING', 'AUTHORIZED', 'COMPLETED')
     group by merchant_id, environment, payment_request_id, share_id having count(*) > 1`,
  'MONEY-14 the books do not say what the attempts say': `
     with booked as (select attempt_id, account, sum(amount_pence) as pence from ledger_entry
       where attempt_id is not null and reason not like 'FEE%' group by attempt_id, account),
     meant as (
       select attempt_id, settles_to, status = 'COMPLETED' as paid, is_settled,
         case when status = 'AUTHORIZED' then amount_pence + tip_pence else 0 end as held,
         case when step in ('PAID_TOO_LATE', 'REFUNDING_LATE')
           or ended_reason = 'NOT_REFUNDED_LATE' then amount_pence + tip_pence else 0 end as late,
         amount_pence + tip_pence - coalesce((select sum((d->>'amountPence')::bigint)
           from jsonb_array_elements(disputes) d where d->>'status' <> 'WON'), 0)
           - refunded_at_processor_pence(refunds) as total
       from attempt),
     expected as (
       select attempt_id, 'DUE_FROM_BANK' as account,
         case when paid and not is_settled then total else 0 end as pence from meant
       union all select attempt_id,
         case settles_to when 'PROCESSOR' then 'SETTLED_BY_PROCESSOR' else settles_to end,
         case when paid and is_settled then total else late end from meant
       union all select attempt_id, 'LATE_MONEY', -late from meant
       union all select attempt_id, 'HELD_AT_PROCESSOR', held from meant
       union all select attempt_id, 'MERCHANT_AUTHORISED', -held from meant
       union all select attempt_id, 'MERCHANT_PAID_DIRECTLY',
         case when paid and settles_to in ('STORE_ACCOUNT', 'PROCESSOR') then -total else 0 end
         from meant
       union all select attempt_id, 'MERCHANT_UNSETTLED',
         case when paid and not is_settled and settles_to = 'COLLECTING_ACCOUNT'
           then -total else 0 end from meant
       union all select attempt_id, 'MERCHANT_PAYABLE',
         case when paid and is_settled and settles_to = 'COLLECTING_ACCOUNT'
           then -total else 0 end from meant)
     select coalesce(e.attempt_id, b.attempt_id), coalesce(e.account, b.account) as account,
       coalesce(e.pence, 0) as expected, coalesce(b.pence, 0) as booked
     from expected e full join booked b on b.attempt_id = e.attempt_id and b.account = e.account
     where coalesce(e.pence, 0) <> coalesce(b.pence, 0)`,
  'MONEY-12 a payment does not say what its refunds say': `
     select a.attempt_id, a.refunded_pence, a.refund_reserved_pence, r.* from attempt a
     left join lateral (
       select coalesce(sum(amount_pence) filter (where status = 'COMPLETED'), 0) as refunded,
         coalesce(sum(amount_pence) filter (where status in ('INITIATED', 'PENDING')), 0) as reserved
       from refund where refund.attempt_id = a.attempt_id) r on true
     where a.refunded_pence <> r.refunded or a.refund_reserved_pence <> r.reserved
       or r.refunded + r.reserved + refunded_at_processor_pence(a.refunds)
         > a.amount_pence + a.tip_pence`,
  'MONEY-11 what is in transit is not what was handed over': `
     with booked as (select account, -sum(amount_pence) as pence from ledger_entry
       where account in ('REFUNDS_IN_TRANSIT', 'PAYOUTS_IN_TRANSIT') group by account),
     meant as (
       select 'REFUNDS_IN_TRANSIT' as account, coalesce(sum(amount_pence), 0) as pence from refund
         where step = 'HANDED_OVER' and method = 'PAY_BY_BANK'
       union all select 'PAYOUTS_IN_TRANSIT', coalesce(sum(amount_pence - coalesce((
           select sum(t.amount_pence) from transfer t where t.subject_id = payout_id
             and t.outcome = 'SETTLED'), 0)), 0) from payout where status = 'PROCESSING')
     select m.account, m.pence, coalesce(b.pence, 0) as booked from meant m
     left join booked b on b.account = m.account where m.pence <> coalesce(b.pence, 0)`,
  'MONEY-15 a payout is not the sum of its lines': `
     select p.payout_id, p.amount_pence, l.pence from payout p left join lateral (
       select coalesce(sum(amount_pence), 0) as pence from payout_line
       where payout_line.payout_id = p.payout_id) l on true
     where p.amount_pence <> l.pence`,
  'PAYOUT-3 payouts are miscounted': `
     with counted as (select merchant_id, environment, status, count(*) as payouts,
         (created_at at time zone 'Europe/London')::date as created_on
       from payout group by merchant_id, environment, status, created_on)
     select created_on, status, c.payouts, n.payouts as said from counted c
     full join payout_count n using (merchant_id, environment, created_on, status)
     where coalesce(c.payouts, 0) <> coalesce(n.payouts, 0)`,
  'MONEY-15 an entry is paid out twice': `select entry_id from payout_line
     join payout using (merchant_id, environment, payout_id) where status <> 'FAILED'
     group by merchant_id, environment, entry_id having count(*) > 1`,
  'a request does not say what its attempts say': `
     select r.payment_request_id, r.status, r.paid_pence, r.live_attempt_count, a.*
     from payment_request r left join lateral (
       select coalesce(sum(amount_pence) filter (where status = 'COMPLETED'), 0) as paid,
         count(*) filter (where status in ('AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED')) as live
       from attempt where attempt.payment_request_id = r.payment_request_id) a on true
     where r.paid_pence <> a.paid or r.live_attempt_count <> a.live
       or (r.status = 'PAID') <> (a.paid >= r.amount_pence)
       or (r.status in ('EXPIRED', 'CANCELLED', 'CLOSED') and a.live > 0)
       or (r.kind = 'CARD_CHARGE' and r.status = 'OPEN' and a.live = 0)`,
  'a card is captured by itself when it should not be': `select attempt_id from attempt
     where capture_at is not null
       and (capture_type <> 'CAPTURE_BEFORE_EXPIRY' or step <> 'AUTHORISED')
     union all select attempt_id from attempt where capture_at is null
       and capture_type = 'CAPTURE_BEFORE_EXPIRY' and step = 'AUTHORISED'`,
  'an open card attempt will never be asked about again': `select attempt_id from attempt
     where method = 'CARD' and status in ('AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED')
       and attempt_id not in (select attempt_id from attempt_poll) and step <> 'OPENING_PAGE'`,
  'more was paid than was asked for': `select payment_request_id from payment_request
     where paid_pence > amount_pence`,
  'MONEY-18 an event misses a delivery for its subscriber': `
     select e.event_id, s.endpoint_id from event e
     join subscription s on s.merchant_id = e.merchant_id and s.environment = e.environment
       and s.event_type = e.event_type and not (e.is_repeat and s.api_version = 1)
     join webhook_endpoint w on w.merchant_id = s.merchant_id and w.environment = s.environment
       and w.endpoint_id = s.endpoint_id and w.created_at < e.occurred_at
       and (w.missed_since is null or e.occurred_at < w.missed_since)
     where not e.is_test and not exists (select from delivery d where d.event_id = e.event_id
       and d.endpoint_id = s.endpoint_id)`,
  'MONEY-18 an event has no body': `select event_id from event e where not exists
     (select from event_body b where b.event_id = e.event_id)`,
  'a strict request was submitted after its end': `select h.subject_id from payment_history h
     join payment_request r on r.payment_request_id = h.payment_request_id
     where h.trigger = 'submitted' and r.strict_expiry and h.occurred_at > r.expires_business_at`,
  'a request expired before its last attempt had ended': `select h.subject_id, h.trigger
     from payment_history e join payment_history h
       on h.payment_request_id = e.payment_request_id and h.version > e.version
       and h.from_status is distinct from h.to_status
     where e.trigger = 'expired' and h.subject = 'ATTEMPT' and h.trigger <> 'reversed'`,
  'an attempt was closed before its time': `select attempt_id from attempt
     where ended_reason = 'NOT_APPROVED_IN_TIME' and authorise_by_business > updated_at`,
  'an open attempt will never be asked about again': `select attempt_id from attempt
     where status = 'PENDING' and method = 'PAY_BY_BANK'
       and attempt_id not in (select attempt_id from attempt_poll)
       and clock_timestamp() - submitted_at < interval '9 days'`,
};

/** As the nightly verification reads them. */
const conservation: Readonly<Record<string, string>> = {
  'MONEY-24 more has left an account than came in': brokenInvariants['MONEY-24'].text,
  'MONEY-25 more has left the collecting account than arrived': brokenInvariants['MONEY-25'].text,
  'MONEY-26 more of a payment is refunded than arrived': brokenInvariants['MONEY-26'].text,
};

const restExceptPending: Readonly<Record<string, string>> = {
  'MONEY-20 an attempt waits for a payer who is gone': `select attempt_id, step from attempt
     where status = 'AWAITING_AUTHORIZATION' and (authorise_by < clock_timestamp()
       or step = 'EXCHANGING' and leased_until < clock_timestamp())`,
  'MONEY-20 a question to a bank is overdue': `select attempt_id, poll_at, leased_until from attempt_poll
     where poll_at < clock_timestamp() - interval '60 seconds'`,
  'MONEY-20 a request is open after its time': `select payment_request_id from payment_request
     where status = 'OPEN' and live_attempt_count = 0
       and expires_at < clock_timestamp() - interval '10 seconds'`,
};

const rest: Readonly<Record<string, string>> = {
  ...restExceptPending,
  'MONEY-20 an attempt is still at its bank': `select attempt_id, step, iso_status_code from attempt
     where status = 'PENDING'`,
};

const findUnwantedRows = async (
  rows: Query,
  statements: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const broken: string[] = [];
  for (const [sentence, text] of Object.entries(statements))
    for (const row of await rows(text)) broken.push(`${sentence}: ${JSON.stringify(row)}`);
  return broken;
};

const histories = `select h.subject, h.subject_id, h.from_status, h.to_status, h.trigger,
    coalesce(a.status, r.status) as status
  from payment_history h
  left join attempt a on h.subject = 'ATTEMPT' and a.attempt_id = h.subject_id
  left join payment_request r on h.subject = 'REQUEST' and r.payment_request_id = h.subject_id
  order by h.payment_request_id, h.version, h.position`;

const tables = { ATTEMPT: attemptLifecycle, REQUEST: requestLifecycle } as const;

/** MONEY-17: the history of a subject is a path of its lifecycle table that ends at its status. */
const findBrokenHistories = (rows: readonly Row[]): readonly string[] => {
  const reached = new Map<unknown, { readonly at: unknown; readonly status: unknown }>();
  const broken = rows.flatMap((row) => {
    const before = reached.get(row.subject_id)?.at ?? (row.subject === 'REQUEST' ? 'OPEN' : null);
    reached.set(row.subject_id, { at: row.to_status, status: row.status });
    if (before === row.from_status && isListed(row)) return [];
    return [`MONEY-17 ${JSON.stringify(row)} came after ${before}`];
  });
  for (const [id, { at, status }] of reached)
    if (at !== status) broken.push(`MONEY-17 ${id} stands at ${status}, its history ends at ${at}`);
  return broken;
};

const notes = new Set([
  ...['timeExtended', 'captureStarted', 'captureRefused', 'cancelStarted', 'cancelRefused'],
  ...['refundedLate', 'lateRefundFailed', 'disputed', 'disputeWon', 'disputeLost'],
  ...[
    'refundedAtProcessor',
    'refundAtProcessorFailed',
    'outcomeRecordedByOperator',
    'creditSeen',
    'fundsConfirmed',
  ],
]);

const isListed = ({ subject, from_status, to_status, trigger }: Row): boolean => {
  const table = tables[subject as keyof typeof tables];
  if (from_status === null)
    return [table.initial, ...table.alsoStartsAt].some((state) => state === to_status);
  if (notes.has(String(trigger))) return from_status === to_status;
  return table.edges.some(
    (edge) => edge.from === from_status && edge.trigger === trigger && edge.to === to_status,
  );
};

const emittedEvents = `select r.payment_request_id, r.status, r.event_sequence,
    (select count(*)::int from payment_history h where h.subject = 'ATTEMPT'
      and h.payment_request_id = r.payment_request_id and h.trigger in
      ('submitted', 'accepted', 'rejected', 'reversed', 'refusedByBank', 'exchangeLost',
       'authorised', 'captured', 'cancelledByMerchant', 'authorisationExpired', 'paidAtProcessor',
       'declinedAtProcessor')) as changes,
    (select count(*)::int from payment_history h where h.subject = 'REQUEST'
      and h.payment_request_id = r.payment_request_id and h.trigger = 'expired') as expiries,
    coalesce((select json_agg(json_build_object('sequence', e.sequence, 'type', e.event_type,
        'body', b.body) order by e.sequence)
      from event e join event_body b on b.event_id = e.event_id
      where e.resource_id = r.payment_request_id and not e.is_test), '[]') as events
  from payment_request r`;

type EmittedEvent = { readonly sequence: number; readonly type: string; readonly body: string };
type Body = {
  readonly paymentIdempotencyId?: string;
  readonly status?: string;
  readonly statusDetails?: { readonly isoStatus?: { readonly code?: string } } | null;
};

/** MONEY-18: every change that has an event emitted it once, in order, and nothing else did. */
const findBrokenEvents = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap((row) => {
    const events = row.events as readonly EmittedEvent[];
    const id = String(row.payment_request_id);
    const broken: string[] = [];
    const complain = (what: string) => broken.push(`MONEY-18 ${id}: ${what}`);
    if (events.some(({ sequence }, index) => sequence !== index + 1))
      complain(`sequences ${events.map(({ sequence }) => sequence).join()}`);
    if (events.length !== row.event_sequence) complain(`counts ${row.event_sequence} events`);
    const expired = events.filter(({ type }) => type === 'EXPIRED_STATUS').length;
    if (expired !== row.expiries || expired !== Number(row.status === 'EXPIRED'))
      complain(`${expired} expiry events, ${row.status}`);
    const keys = events.filter(({ type }) => type === 'PAYMENTS_STATUS').map(keyOf);
    if (new Set(keys).size !== keys.length) complain(`emitted twice: ${keys.join(', ')}`);
    if (keys.length < Number(row.changes))
      complain(`${row.changes} changes, emitted ${keys.join(', ')}`);
    return broken;
  });

const keyOf = ({ body }: EmittedEvent): string => {
  const { paymentIdempotencyId, status, statusDetails } = JSON.parse(body) as Body;
  return `${paymentIdempotencyId} ${status} ${statusDetails?.isoStatus?.code ?? '-'}`;
};

import type { Tenant } from '#kernel/environment.ts';
import { isPaymentHeldSql } from '#modules/credits/index.ts';
import { emitEventsCtes, emittedEndpoints, eventsValue } from '#modules/events/index.ts';
import { postEntriesCtes, postingsValue } from '#modules/ledger/index.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import {
  casesValue,
  openCasesCtes,
  resolveCasesCtes,
  resolvedCasesValue,
} from '#modules/operator-cases/index.ts';
import {
  type BatchDraft,
  endedValue,
  endTransfersCtes,
  orderTransfersCtes,
  payableCtes,
  settlementAccountSql,
  transferValues,
} from '#modules/transfers/index.ts';
import { isDeadlock } from '#platform/database/database-unavailable.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { bytesToHex, statement } from '#platform/database/statement.ts';
import type { Change } from '../change-refunds.ts';
import { type Refund, resolvedCasesOf } from '../refund.ts';
import { isStillOwedSql } from './unreturned.ts';

type Values = Tenant & {
  readonly refundIds: readonly string[];
  readonly attemptIds: readonly string[];
  readonly changes: string;
  readonly history: string;
  readonly postings: string;
  readonly events: string;
  readonly cases: string;
  readonly resolvedCases: string;
};

type Written = { readonly refund_id: string; readonly endpoints: readonly string[] };

const changeRows = sql('changes')`
     select * from jsonb_to_recordset(:changes::jsonb) as c (refund_id uuid, version int,
       from_status text, from_step text, to_status text, to_step text, waits_for text,
       account_encrypted bytea, end_to_end_id text, rail_state_encrypted bytea,
       rail_reference text, error_code text, error_description text, event_sequence int, poll_count int,
       due_business_at timestamptz, handed_over_at timestamptz, updated_at timestamptz,
       now timestamptz, reserved_change bigint, refunded_change bigint)`;

const handsOver = `c.from_step = 'WAITING' and c.to_step = 'HANDED_OVER'`;

/** State, reservation on the payment, history, entries, cases and events of each `change`, or nothing. */
const wonCtes = (isAllowed: string) => sql(
  'merchantId',
  'environment',
  'refundIds',
  'attemptIds',
  'history',
)`
   won as (
     update refund r set status = c.to_status, step = c.to_step, version = r.version + 1,
       waits_for = c.waits_for, account_encrypted = c.account_encrypted,
       end_to_end_id = c.end_to_end_id,
       rail_state_encrypted = c.rail_state_encrypted, rail_reference = c.rail_reference,
       error_code = c.error_code, error_description = c.error_description,
       event_sequence = c.event_sequence, poll_count = c.poll_count,
       due_business_at = c.due_business_at, due_at = c.due_business_at - tenant.moved,
       leased_until = null, handed_over_at = c.handed_over_at, updated_at = c.updated_at
     from change c, tenant
     where r.merchant_id = :merchantId and r.environment = :environment
       and r.refund_id = any (:refundIds::uuid[]) and r.refund_id = c.refund_id
       and r.version = c.version and r.status = c.from_status and r.step = c.from_step
       and ${isAllowed}
     returning r.refund_id, r.attempt_id, r.version, c.now, c.reserved_change, c.refunded_change),
   moved as (
     select attempt_id, sum(reserved_change) as reserved, sum(refunded_change) as refunded from won
     group by attempt_id having sum(reserved_change) <> 0 or sum(refunded_change) <> 0),
   reserved as (
     update attempt a set refund_reserved_pence = a.refund_reserved_pence + moved.reserved,
       refunded_pence = a.refunded_pence + moved.refunded
     from moved
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.attempt_id = any (:attemptIds::uuid[]) and a.attempt_id = moved.attempt_id),
   history as (
     insert into refund_history (merchant_id, environment, refund_id, version, position,
       from_status, to_status, trigger, detail, occurred_at)
     select :merchantId, :environment, won.refund_id, won.version, h.position, h.from_status,
       h.to_status, h.trigger, h.detail, won.now
     from jsonb_to_recordset(:history::jsonb) as h (refund_id uuid, position smallint,
       from_status text, to_status text, trigger text, detail text)
     join won on won.refund_id = h.refund_id),
   ${postEntriesCtes('won', 'refund_id')},
   ${openCasesCtes('won', 'refund_id')},
   ${resolveCasesCtes('won', 'refund_id')},
   ${emitEventsCtes('won', 'refund_id')}`;

/**
 * One transition of each refund, or nothing. It hands none over: for a report the proof of the balance
 * would be set up in vain.
 */
const commit = statement<Values & { readonly ended: string }, Written>(
  'refund_commit',
  sql()`
   with tenant as materialized (select ${clockOffsetSql} as moved),
   change as materialized (${changeRows} order by refund_id),
   ${wonCtes(`not (${handsOver})`)},
   ${endTransfersCtes('won', 'refund_id')}
   select won.refund_id, ${emittedEndpoints} as endpoints from won`,
  {
    guardedBy: 'version, status and step as read; no hand-over; unique dedupe_key of an event',
  },
);

/**
 * The transitions of one round, with the orders to the bank. Guarded by the merchant's turn too, and
 * when money leaves by the payment and by what is payable on the account: a refund that is `held` keeps
 * waiting.
 */
const handOver = statement<
  Values & {
    readonly turnVersion: number;
    readonly batches: string;
    readonly transfers: string;
  },
  Written
>(
  'refund_hand_over',
  sql('merchantId', 'environment', 'turnVersion', 'refundIds', 'attemptIds')`
   with tenant as materialized (select ${clockOffsetSql} as moved),
   turn as (
     update outgoing_turn set version = version + 1
     where merchant_id = :merchantId and environment = :environment
       and version = :turnVersion::int
     returning version),
   change as materialized (${changeRows}
     where exists (select from turn) order by refund_id),
   handing as materialized (
     select c.refund_id, r.method, r.amount_pence, ${settlementAccountSql('r.store_id')} as account,
       a.status = 'COMPLETED' and (r.method = 'CARD' or not w.transfer_hub_paused and ${isStillOwedSql}
         and (a.is_settled and not ${isPaymentHeldSql('a')} or w.refunds_before_settlement)) as may_go
     from change c
     join refund r on r.merchant_id = :merchantId and r.environment = :environment
       and r.refund_id = any (:refundIds::uuid[]) and r.refund_id = c.refund_id
     join attempt a on a.merchant_id = :merchantId and a.environment = :environment
       and a.attempt_id = any (:attemptIds::uuid[]) and a.attempt_id = r.attempt_id
     join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
     left join store_bank_account b on b.merchant_id = :merchantId
       and b.environment = :environment and b.store_id = r.store_id
     where ${handsOver}),
   ${payableCtes},
   short as materialized (
     select h.account from handing h where h.method = 'PAY_BY_BANK' group by h.account
     having sum(h.amount_pence) > coalesce((select p.pence from payable p
       where p.account = h.account), 0)),
   held as materialized (
     select h.refund_id from handing h where not h.may_go
       or h.method = 'PAY_BY_BANK' and h.account in (select account from short)),
   ${wonCtes('not exists (select from held where held.refund_id = c.refund_id)')},
   ${orderTransfersCtes('won', 'refund_id')}
   select won.refund_id, ${emittedEndpoints} as endpoints from won`,
  {
    guardedBy:
      'version, status and step as read; the version of the turn of outgoing money; what is payable ' +
      'on the account, the state of the payment, what the payer has of it, and the pause; ' +
      'unique dedupe_key of an event',
  },
);

export type Outgoing = {
  /** The turn of this decision. */
  readonly turnVersion: number;
  readonly batches: readonly BatchDraft[];
};

export type Committed = {
  readonly refundIds: readonly string[];
  readonly endpoints: readonly string[];
};

/** The changes that won; nothing of the others is written. None of them hands over. */
export const commitRefunds = (
  database: Database,
  tenant: Tenant,
  changes: readonly Change[],
): Promise<Committed> =>
  wonOf(() =>
    database.tenant(tenant.merchantId, commit, {
      ...valuesOf(tenant, changes),
      ended: endedValue(changes.flatMap(({ ended }) => ended)),
    }),
  );

/** The changes of a round that won, with the orders of those that hand over. */
export const commitHandOver = (
  database: Database,
  tenant: Tenant,
  changes: readonly Change[],
  { turnVersion, batches }: Outgoing,
): Promise<Committed> =>
  wonOf(() =>
    database.tenant(tenant.merchantId, handOver, {
      ...valuesOf(tenant, changes),
      ...transferValues(batches),
      turnVersion,
    }),
  );

const wonOf = async (write: () => Promise<readonly Written[]>): Promise<Committed> => {
  try {
    const rows = await write();
    return {
      refundIds: rows.map((row) => row.refund_id),
      endpoints: rows[0]?.endpoints ?? [],
    };
  } catch (error) {
    if (isDeadlock(error)) return { refundIds: [], endpoints: [] };
    throw error;
  }
};

const valuesOf = (tenant: Tenant, changes: readonly Change[]): Values => ({
  ...tenant,
  refundIds: changes.map(({ refund }) => refund.refundId),
  attemptIds: changes.map(({ refund }) => refund.attemptId),
  changes: JSON.stringify(changes.map(changeRow)),
  history: JSON.stringify(changes.flatMap(historyRows)),
  postings: postingsValue(changes.flatMap(({ postings }) => postings)),
  events: eventsValue(changes.flatMap(({ events }) => events)),
  cases: casesValue(changes.flatMap(caseRows)),
  resolvedCases: resolvedCasesValue(changes.flatMap(resolvedRows)),
});

const changeRow = ({ refund, before }: Change) => ({
  refund_id: refund.refundId,
  version: before.version,
  from_status: before.status,
  from_step: before.step,
  to_status: refund.status,
  to_step: refund.step,
  waits_for: refund.waitsFor,
  account_encrypted: refund.accountEncrypted && bytesToHex(refund.accountEncrypted),
  end_to_end_id: refund.endToEndId,
  rail_state_encrypted: refund.railStateEncrypted && bytesToHex(refund.railStateEncrypted),
  rail_reference: refund.railReference,
  error_code: refund.errorCode,
  error_description: refund.errorDescription,
  event_sequence: refund.eventSequence,
  poll_count: refund.pollCount,
  due_business_at: refund.dueBusinessAt,
  handed_over_at: refund.handedOverAt,
  updated_at: refund.updatedAt,
  now: refund.now,
  reserved_change: (reserved(refund) - reserved(before)).toString(),
  refunded_change: (refunded(refund) - refunded(before)).toString(),
});

const reserved = ({ status, amountPence }: Refund): bigint =>
  status === 'INITIATED' || status === 'PENDING' ? amountPence : 0n;

const refunded = ({ status, amountPence }: Refund): bigint =>
  status === 'COMPLETED' ? amountPence : 0n;

const caseRows = ({ refund, cases }: Change) =>
  cases.map((opened) => ({ resourceId: refund.refundId, opened }));

const resolvedRows = (change: Change) =>
  resolvedCasesOf(change).map((resolved) => ({ resourceId: change.refund.refundId, resolved }));

const historyRows = ({ refund, history }: Change) =>
  history.map((row, position) => ({
    refund_id: refund.refundId,
    position,
    from_status: row.fromStatus,
    to_status: row.toStatus,
    trigger: row.trigger,
    detail: row.detail,
  }));

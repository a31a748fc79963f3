import { limits } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { isPaymentHeldSql } from '#modules/credits/index.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import { openCasesCtes } from '#modules/operator-cases/index.ts';
import { payableCtes, settlementAccountSql } from '#modules/transfers/index.ts';
import { earliestDue, tenantsFromAnywhere } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff, putOffRows, stuckRows } from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';
import { type RefundRow, withNow } from '../core/store/read-refunds.ts';
import { isStillOwedSql } from '../core/store/unreturned.ts';

export type DueTenant = { readonly merchant_id: string; readonly environment: Environment };

const isWaiting = `r.step = 'WAITING' and r.due_at <= statement_timestamp()`;
const isNotPaused = `(r.status = 'INITIATED' or r.method = 'CARD' or not w.transfer_hub_paused)`;

/** While a merchant's transfers are paused, only new ones are read. */
export const findDueTenants = statement<
  { readonly from: string; readonly limit: number },
  DueTenant
>(
  'refund_due_tenants',
  tenantsFromAnywhere(`${isNotPutOff('w', 'merchant_id', 'HAND_OVER')}
       and exists (select from refund r
       where r.merchant_id = w.merchant_id and r.environment = w.environment
         and ${isWaiting} and ${isNotPaused})`),
);

export const handOverDueAt = earliestDue({
  at: 'r.due_at',
  from: `refund r
     join merchant_switch w on w.merchant_id = r.merchant_id and w.environment = r.environment`,
  and: `r.step = 'WAITING' and ${isNotPaused}
       and ${isNotPutOff('r', 'merchant_id', 'HAND_OVER')}`,
});

export type WaitingRow = RefundRow & {
  readonly business_name: string;
  readonly is_paused: boolean;
  readonly is_due: boolean;
  /** Among those of its account, the oldest first. */
  readonly place: number;
  /** What payable money of its store is settled to. */
  readonly settlement_account: string;
  readonly attempt_status: string;
  /** The money has arrived and no debit may take it, or the operator lets refunds go before it has. */
  readonly may_precede: boolean;
  /** The payer has none of it by a refund that failed. */
  readonly is_still_owed: boolean;
  readonly payer_encrypted: Buffer | null;
  readonly attempt_rail_state_encrypted: Buffer | null;
  /** The account at the card processor that was paid. */
  readonly account_key: string | null;
};

/**
 * The first of each settlement account, and of all what has been due longest. One that waits for money is
 * read before it is due again, so that no later one overtakes it. `refund` is read once: joined to itself
 * with a plan from when the table was empty, it was read once for each row.
 */
export const readWaiting = statement<
  Tenant & { readonly places: number; readonly limit: number },
  WaitingRow
>(
  'refund_read_waiting',
  sql('merchantId', 'environment', 'places', 'limit')`
   with waiting as materialized (
     select r.*, ${isWaiting} as is_due, w.transfer_hub_paused as is_paused,
       w.refunds_before_settlement, ${settlementAccountSql('r.store_id')} as settlement_account,
       row_number() over (partition by r.method, b.sort_code, b.account_number
         order by r.created_at, r.refund_id)::int as place,
       row_number() over (partition by ${isWaiting} order by r.due_at) as due_place
     from refund r
     join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
     left join store_bank_account b on b.merchant_id = :merchantId
       and b.environment = :environment and b.store_id = r.store_id
     where r.merchant_id = :merchantId and r.environment = :environment
       and r.status in ('INITIATED', 'PENDING')
       and (${isWaiting} or r.step = 'WAITING' and r.waits_for = 'BALANCE')
       and ${isNotPaused})
   select ${withNow}, m.business_name, a.status as attempt_status,
     a.is_settled and not ${isPaymentHeldSql('a')} or r.refunds_before_settlement as may_precede,
     ${isStillOwedSql} as is_still_owed,
     a.payer_encrypted, a.account_key,
     case r.method when 'CARD' then a.rail_state_encrypted end as attempt_rail_state_encrypted
   from waiting r
   cross join (select ${clockOffsetSql} as moved) clock
   join merchant m on m.merchant_id = :merchantId
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = r.attempt_id
   where r.place <= :places::int or r.is_due and r.due_place <= :limit
   order by r.created_at, r.refund_id`,
);

/** What is payable, by settlement account. Decided again in the statement that hands over. */
export const readPayable = statement<Tenant, { readonly account: string; readonly pence: bigint }>(
  'refund_read_payable',
  sql()`with ${payableCtes} select account, pence from payable`,
);

export type HandedOverRow = DueTenant & { readonly refund_id: string; readonly method: string };

const isFree = `(r.leased_until is null or r.leased_until < statement_timestamp())
       and ${isNotPutOff('r', 'refund_id', 'POLL_REFUND')}`;

export const pollDueAt = earliestDue({
  at: 'r.due_at',
  from: 'refund r',
  and: `r.step = 'HANDED_OVER' and ${isFree}`,
});

/** A lease, so that one worker at a time polls a refund. */
export const claimHandedOver = statement<{ limit: number; leaseMs: number }, HandedOverRow>(
  'refund_claim_handed_over',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select r.merchant_id, r.environment, r.refund_id from refund r
     where ${ofShare('r')} and r.step = 'HANDED_OVER' and r.due_at <= statement_timestamp()
       and ${isFree}
     order by r.due_at limit :limit for update skip locked`)})
   update refund r set leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due
   where r.merchant_id = due.merchant_id and r.environment = due.environment
     and r.refund_id = due.refund_id
   returning r.merchant_id, r.environment, r.refund_id, r.method`,
  { guardedBy: 'lease and skip locked: one worker at a time' },
);

/** With its case; it is tried again, and holds neither other refunds nor payouts meanwhile. */
export const markHeld = statement<
  Tenant & {
    readonly refundId: string;
    readonly version: number;
    readonly pauseMs: number;
    readonly cases: string;
  },
  never
>(
  'refund_mark_held',
  sql('merchantId', 'environment', 'refundId', 'version', 'pauseMs')`
   with won as (
     update refund set waits_for = 'OPERATOR', version = version + 1,
       due_at = clock_timestamp() + :pauseMs::int * interval '1 millisecond',
       due_business_at = clock_timestamp() + :pauseMs::int * interval '1 millisecond'
         + clock_offset(:merchantId::uuid, :environment::text)
     where merchant_id = :merchantId and environment = :environment and refund_id = :refundId
       and step = 'WAITING' and version = :version::int
     returning refund_id),
   ${openCasesCtes('won', 'refund_id')}
   select from won`,
  {
    guardedBy:
      'version and step as read; unique operator_case_open: one open case for each kind and subject',
  },
);

/** With its case, and as a new version: a report that was decided before it is decided again. */
export const markAlerted = statement<
  Tenant & { readonly refundId: string; readonly cases: string },
  never
>(
  'refund_mark_alerted',
  sql('merchantId', 'environment', 'refundId')`
   with won as (
     update refund set operator_alerted_at = clock_timestamp(), version = version + 1,
       due_at = null, due_business_at = null, leased_until = null
     where merchant_id = :merchantId and environment = :environment and refund_id = :refundId
       and step = 'HANDED_OVER'
     returning refund_id),
   ${openCasesCtes('won', 'refund_id')}
   select from won`,
  {
    guardedBy:
      'step is HANDED_OVER: a refund that has moved on is left alone; ' +
      'unique operator_case_open: one open case for each kind and subject',
  },
);

const ofRefund = {
  merchantId: 'w.merchant_id',
  workId: 'w.refund_id',
  paymentRequestId: 'w.payment_request_id',
  dueAt: 'w.due_at',
} as const;

/**
 * Refunds that are not handed over or not polled. One that waits is looked at again every few seconds; one
 * that waits for an account has a case of its own.
 */
export const stuckRefunds = [
  stuckRows({
    ...{ ...ofRefund, kind: 'HAND_OVER_REFUND', since: 'w.created_at' },
    from: `refund w
       join merchant_switch o on o.merchant_id = w.merchant_id and o.environment = w.environment`,
    where: `w.step = 'WAITING' and w.waits_for is distinct from 'REFUND_ACCOUNT_NEEDED'
        and (w.status = 'INITIATED' or w.method = 'CARD' or not o.transfer_hub_paused)`,
    longestPause: '1 minute',
    openHours: limits.stuckRefundHours,
  }),
  // Of a merchant of whom none can be handed over.
  putOffRows('HAND_OVER_REFUND', 'HAND_OVER'),
  stuckRows({
    ...{ ...ofRefund, kind: 'POLL_REFUND', leasedUntil: 'w.leased_until', pausedAs: 'POLL_REFUND' },
    ...{ from: 'refund w', where: `w.step = 'HANDED_OVER'` },
  }),
];

// What waits for money or an account has no time of its own.
export const nextDue = statement<Tenant & { readonly after: Date }, { due_at: Date | null }>(
  'refund_tenant_next_due',
  sql('merchantId', 'environment', 'after')`
   select min(due_business_at) as due_at from refund
   where merchant_id = :merchantId and environment = :environment
     and step = 'HANDED_OVER' and due_at is not null and due_business_at > :after`,
);

export const recomputeDue = statement<Tenant, never>(
  'refund_tenant_recompute',
  sql('merchantId', 'environment')`
   update refund r
   set due_at = r.due_business_at - clock_offset(:merchantId::uuid, :environment::text)
   where r.merchant_id = :merchantId and r.environment = :environment and r.due_at is not null
     and r.due_at <> r.due_business_at - clock_offset(:merchantId::uuid, :environment::text)`,
  { guardedBy: 'derives from the business time, so a repeat changes nothing; leases stay' },
);

/** Payments whose refunds the simulated card processor may still report on, later failures included. */
export const listOpenCardRefunds = statement<Tenant, { readonly rail_reference: string }>(
  'refund_open_card_refunds',
  sql('merchantId', 'environment')`
   select a.rail_reference from refund r
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = r.attempt_id and a.rail_reference is not null
   where r.merchant_id = :merchantId and r.environment = :environment and r.method = 'CARD'
     and r.status in ('PENDING', 'COMPLETED')
   group by a.rail_reference order by max(r.updated_at) desc limit 500`,
);

/** Transfers that the simulated hub may still report on, returns included. */
export const listOpenTransfers = statement<Tenant, { readonly end_to_end_id: string }>(
  'refund_open_transfers',
  sql('merchantId', 'environment')`
   select end_to_end_id from refund
   where merchant_id = :merchantId and environment = :environment and end_to_end_id is not null
     and status in ('PENDING', 'COMPLETED') order by updated_at desc limit 500`,
);

const count = statement<Tenant & { readonly accountKey: string }, { readonly open: bigint }>(
  'refund_count_at_account',
  sql('merchantId', 'environment', 'accountKey')`
   select count(*) as open from refund r
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = r.attempt_id and a.account_key = :accountKey
   where r.merchant_id = :merchantId and r.environment = :environment
     and r.status in ('INITIATED', 'PENDING') and r.method = 'CARD'`,
);

/** Of payments that were made with an account at the card processor. */
export const countOpenCardRefunds = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  accountKey: string,
): Promise<bigint> => {
  const [row] = await database.tenant(tenant.merchantId, count, { ...tenant, accountKey });
  return row?.open ?? 0n;
};

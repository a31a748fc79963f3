import { limits } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { retryDeadlock } from '#platform/database/database-unavailable.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { claimDueAttempts, pollsOf } from '../core/store/claim-due.ts';

const bankOf = (alias: string) => `${alias}.environment || ' ' || ${alias}.institution_id`;

export const bankPolls = claimDueAttempts('payment_claim_polls', pollsOf('PAY_BY_BANK', bankOf));

export type Named = {
  readonly environment: Environment;
  readonly institutionId: string;
  /** By which the bank names the payment. */
  readonly reference: string;
};

/**
 * The next poll of the payment that a bank names is due now, or some seconds after the last time it
 * said so. A poll that runs meanwhile may have been answered before the change: another follows it.
 * To the millisecond, because the plan is compared with what a program has read of it.
 */
export const hurryPoll = statement<Named, never>(
  'payment_hurry_poll',
  sql('environment', 'institutionId', 'reference')`
   with named as materialized (
     select p.merchant_id, p.environment, p.attempt_id,
       greatest(date_trunc('milliseconds', statement_timestamp()), p.hinted_at
         + interval '${limits.bankEventSpacingSeconds} seconds') as due_at
     from attempt a join attempt_poll p on p.merchant_id = a.merchant_id
       and p.environment = a.environment and p.attempt_id = a.attempt_id
     where a.environment = :environment and a.institution_id = :institutionId
       and a.bank_payment_reference = :reference and a.step = 'SUBMITTED'
     for update of p)
   update attempt_poll p set poll_at = n.due_at, hinted_at = n.due_at, leased_until = null,
     poll_business_at = n.due_at + (p.poll_business_at - p.poll_at),
     watch_from = least(p.watch_from, n.due_at)
   from named n
   where p.merchant_id = n.merchant_id and p.environment = n.environment
     and p.attempt_id = n.attempt_id and (p.poll_at > n.due_at
       or p.poll_at <= statement_timestamp() and p.leased_until > statement_timestamp())`,
  { guardedBy: 'a due time that is only made earlier, or that of a poll which runs already' },
);

/** The same of a payment that we know. */
export const hurryPollOf = statement<Tenant & { readonly attemptId: string }, never>(
  'payment_hurry_poll_of',
  sql('merchantId', 'environment', 'attemptId')`
   update attempt_poll set leased_until = null, watch_from = least(watch_from, n.at),
     poll_at = n.at, poll_business_at = n.at + (poll_business_at - poll_at)
   from (select date_trunc('milliseconds', statement_timestamp()) as at) n
   where merchant_id = :merchantId and environment = :environment
     and attempt_id = :attemptId::uuid and poll_at > n.at`,
  { guardedBy: 'a due time that is only made earlier' },
);

/** A planned poll of a bank, and what is known without it. */
export type PlannedPoll = {
  readonly attempt_id: string;
  readonly rail_reference: string;
  readonly iso_status_code: string;
  readonly status: string;
  readonly is_settled: boolean;
  /** Its money arrives on the collecting account. */
  readonly is_collected: boolean;
  readonly submitted_at: Date;
  readonly at: Date;
  readonly is_alerted: boolean;
  /** The tenant's. */
  readonly now: Date;
};

type TenantValues = { readonly merchantId: string; readonly environment: string };

const read = statement<TenantValues, PlannedPoll>(
  'payment_planned_polls',
  sql('merchantId', 'environment')`
   select a.attempt_id, a.rail_reference, a.iso_status_code, a.status, a.is_settled,
     a.submitted_at, a.settles_to = 'COLLECTING_ACCOUNT' as is_collected,
     p.poll_business_at as at, a.operator_alerted_at is not null as is_alerted,
     business_now(:merchantId, :environment) as now
   from attempt_poll p
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = p.attempt_id
   where p.merchant_id = :merchantId and p.environment = :environment
      and a.method = 'PAY_BY_BANK' and a.step = 'SUBMITTED'
     and a.rail_reference is not null and a.iso_status_code is not null
     and a.submitted_at is not null`,
);

type Moved = {
  readonly attemptId: string;
  readonly from: Date;
  readonly at: Date;
  readonly passed: number;
};

type MoveValues = TenantValues & {
  readonly attemptIds: readonly string[];
  readonly froms: readonly Date[];
  readonly ats: readonly Date[];
  readonly passed: readonly number[];
};

// Not when a poll has run since: the plan has moved on. One that is running plans again after it.
const move = statement<MoveValues, never>(
  'payment_move_polls',
  sql('merchantId', 'environment', 'attemptIds', 'froms', 'ats', 'passed')`
   with tenant as materialized (select clock_offset(:merchantId, :environment) as moved),
   planned as (
     select * from unnest(:attemptIds::uuid[], :froms::timestamptz[], :ats::timestamptz[],
       :passed::int[]) as p (attempt_id, at_before, at, passed))
   update attempt_poll a set poll_business_at = p.at, poll_at = p.at - tenant.moved,
     watch_from = p.at - tenant.moved, leased_until = null, poll_count = a.poll_count + p.passed
   from planned p, tenant
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = p.attempt_id and a.poll_business_at = p.at_before`,
  { guardedBy: 'poll_business_at as read: a poll since then wins' },
);

export const plannedPolls = (database: Database, tenant: Tenant) => ({
  read: (): Promise<readonly PlannedPoll[]> => database.tenant(tenant.merchantId, read, tenant),
  move: async (moved: readonly Moved[]): Promise<void> => {
    const values = {
      ...tenant,
      attemptIds: moved.map(({ attemptId }) => attemptId),
      froms: moved.map(({ from }) => from),
      ats: moved.map(({ at }) => at),
      passed: moved.map(({ passed }) => passed),
    };
    await retryDeadlock(() => database.tenant(tenant.merchantId, move, values));
  },
});

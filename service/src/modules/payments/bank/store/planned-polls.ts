import type { Tenant } from '#kernel/environment.ts';
import type { Database } from '#platform/database/open-database.ts';
import { retryDeadlock } from '#platform/database/retry-deadlock.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** A planned poll of a bank, and what is known without it. */
export type PlannedPoll = {
  readonly attempt_id: string;
  readonly rail_reference: string;
  readonly iso_status_code: string;
  readonly status: string;
  readonly is_settled: boolean;
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
     a.submitted_at,
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

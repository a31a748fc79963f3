import type { WorkKind } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { stuckLinks } from '#modules/bank-feed/index.ts';
import { stuckDetachments } from '#modules/cards/index.ts';
import { stuckCredits } from '#modules/credits/index.ts';
import { stuckErasures } from '#modules/erasure/index.ts';
import { stuckPayments } from '#modules/payments/index.ts';
import { stuckPayouts } from '#modules/payouts/index.ts';
import { stuckRefunds } from '#modules/refunds/index.ts';
import { stuckTransfers } from '#modules/transfers/index.ts';
import { stuckDeliveries } from '#modules/webhooks/index.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { putOffRows } from '#platform/database/stuck-rows.ts';

export type StuckRow = {
  readonly kind: WorkKind;
  readonly merchant_id: string | null;
  readonly business_name: string | null;
  readonly environment: Environment;
  readonly work_id: string;
  readonly payment_request_id: string | null;
  readonly since: Date;
  readonly paused_until: Date | null;
  readonly is_paused: boolean;
  readonly is_running: boolean;
  readonly attempts: number;
  readonly last_error: string | null;
};

/** One row more than there is stuck work, so that an empty page still has the numbers. */
type Listed = { readonly counts: Readonly<Partial<Record<WorkKind, number>>> } & (
  | StuckRow
  | { readonly kind: null }
);

const sources: readonly Fragment<'limit'>[] = [
  ...stuckPayments,
  ...stuckRefunds,
  ...stuckPayouts,
  ...stuckTransfers,
  ...stuckCredits,
  ...stuckLinks,
  ...stuckDeliveries,
  ...stuckDetachments,
  ...stuckErasures,
  putOffRows('TAKE_SNAPSHOT', 'SNAPSHOT'),
  putOffRows('ADD_UP_MONEY', 'MONEY_DAY'),
];

const union = sources
  .map((source) => source.sql)
  .join(`
   union all`);

/** Of each kind at most `limit`: each part finds them by an index. */
export const listStuckRows = statement<
  {
    readonly kind: WorkKind | null;
    readonly limit: number;
    readonly size: number;
    readonly skipped: number;
  },
  Listed
>(
  'stuck_work_list',
  sql('kind', 'limit', 'size', 'skipped')`
   with found as materialized (${union}),
   counted as (
     select coalesce(jsonb_object_agg(kind, count), '{}') as counts
     from (select kind, count(*) from found group by kind) each)
   select n.counts, s.* from counted n
   left join lateral (
     select f.*, m.business_name,
       coalesce(f.paused_until > statement_timestamp(), false) as is_paused,
       coalesce(f.leased_until > statement_timestamp(), false) as is_running
     from found f left join merchant m on m.merchant_id = f.merchant_id
     where :kind::text is null or f.kind = :kind::text
     order by f.since, f.kind, f.work_id limit :size::int offset :skipped::int) s on true`,
);

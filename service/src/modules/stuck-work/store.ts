import type { listStuckWork, ReplyOf, SharedWorkKind, WorkKind } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { hurryReading, hurryRemoval, stuckLinks } from '#modules/bank-feed/index.ts';
import { hurryDetachment, stuckDetachments } from '#modules/cards/index.ts';
import { failedReceipts } from '#modules/checkout/index.ts';
import { hurryCredit, hurryDebit, stuckCredits } from '#modules/credits/index.ts';
import { stuckErasures } from '#modules/erasure/index.ts';
import { failedCaseMails } from '#modules/operator-cases/index.ts';
import { stuckAnswers, stuckPayments } from '#modules/payments/index.ts';
import { stuckPayouts } from '#modules/payouts/index.ts';
import { failedPersonMails } from '#modules/people/index.ts';
import { stuckRefunds } from '#modules/refunds/index.ts';
import { hurryBatch, stuckTransfers } from '#modules/transfers/index.ts';
import { failedMails, stuckDeliveries } from '#modules/webhooks/index.ts';
import { failedJobRows, hurryJob } from '#platform/database/failed-jobs.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import {
  hurryPausedWork,
  type Work as PausedWork,
  putOffRows,
} from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';

type Described = 'title' | 'advice' | 'lastFailure' | 'nextAt' | 'canHurry';

export type StuckRow = RowOf<
  Omit<ReplyOf<typeof listStuckWork>['data'][number], Described>,
  'since'
> & {
  readonly paused_until: Date | null;
  readonly is_paused: boolean;
  readonly last_error: string | null;
};

/** One row more than there is stuck work, so that an empty page still has the numbers. */
type Listed = { readonly counts: Readonly<Partial<Record<WorkKind, number>>> } & (
  | StuckRow
  | { readonly kind: null }
);

const sources: readonly Fragment<'limit'>[] = [
  ...stuckPayments,
  stuckAnswers,
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
  putOffRows('FOLD_COUNTS', 'FOLD'),
  putOffRows('MAIL_NOTICE', 'NOTICE'),
  putOffRows('MAIL_FAILING_ENDPOINT', 'ENDPOINT_MAIL'),
  putOffRows('MAIL_STATEMENT', 'STATEMENT'),
  failedJobRows,
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

type Work = Tenant & { readonly workId: string };

type Hurry = (database: Uses<'database'>['database'], work: Work) => Promise<readonly unknown[]>;

const by =
  <Row>(statement: Statement<Work, Row>): Hurry =>
  (database, work) =>
    database.system(statement, work);

const paused =
  (work: PausedWork): Hurry =>
  (database, values) =>
    database.system(hurryPausedWork, { ...values, work });

/** The same of what belongs to no merchant. */
export const hurryShared: Readonly<
  Record<SharedWorkKind, Statement<{ readonly workId: string }, unknown>>
> = {
  MATCH_CREDIT: hurryCredit,
  REVERSE_CREDIT: hurryDebit,
  RUN_JOB: hurryJob,
};

/** Kinds of work that wait after a failure, with the statement that ends the pause. */
export const hurryByKind: Readonly<Partial<Record<WorkKind, Hurry>>> = {
  EXPIRE: paused('EXPIRE'),
  ABANDON: paused('ABANDON'),
  ALERT: paused('ALERT'),
  POLL_BANK: paused('POLL'),
  POLL_CARD: paused('POLL'),
  CAPTURE: paused('CAPTURE'),
  ANSWER_DISPUTE: paused('ANSWER'),
  HAND_OVER_REFUND: paused('HAND_OVER'),
  POLL_REFUND: paused('POLL_REFUND'),
  FILL_PAYOUT: paused('FILL_PAYOUT'),
  CLOSE_PAYOUT: paused('CLOSE_PAYOUT'),
  END_LINK: paused('END_LINK'),
  SUBMIT_TRANSFERS: by(hurryBatch),
  REFRESH_ACCOUNTS: async (database, work) => [
    ...(await paused('READ_ACCOUNTS')(database, work)),
    ...(await by(hurryReading)(database, work)),
  ],
  REMOVE_BANK_DATA: by(hurryRemoval),
  DETACH_CARD: by(hurryDetachment),
  ERASE_CUSTOMER: paused('ERASE'),
  ERASE_OLD_PAYMENT: paused('ERASE_PAYMENT'),
  TAKE_SNAPSHOT: paused('SNAPSHOT'),
  ADD_UP_MONEY: paused('MONEY_DAY'),
  FOLD_COUNTS: paused('FOLD'),
  MAIL_NOTICE: paused('NOTICE'),
  MAIL_FAILING_ENDPOINT: paused('ENDPOINT_MAIL'),
  MAIL_STATEMENT: paused('STATEMENT'),
};

export type FailedRow = {
  readonly source: 'RECEIPT' | 'MERCHANT' | 'PERSON' | 'CASE';
  readonly kind: string;
  readonly merchant_id: string | null;
  readonly business_name: string | null;
  readonly environment: Environment | null;
  readonly mail_id: string;
  readonly recipient: string | null;
  readonly recipient_encrypted: Buffer | null;
  readonly attempt_id: string | null;
  readonly created_at: Date;
  readonly due_at: Date | null;
  readonly is_paused: boolean;
  readonly is_given_up: boolean;
  readonly is_late: boolean;
  readonly attempts: number;
  readonly last_error: string | null;
};

/** One row more than there are mails, so that an empty page still has the number. */
export const listFailedRows = statement<
  { readonly limit: number; readonly size: number; readonly skipped: number },
  { readonly total: number } & (FailedRow | { readonly source: null })
>(
  'failed_mail_list',
  sql('size', 'skipped')`
   with found as materialized (${failedReceipts}
     union all ${failedMails}
     union all ${failedPersonMails}
     union all ${failedCaseMails})
   select n.total, s.* from (select count(*)::int as total from found) n
   left join lateral (
     select f.*, m.business_name,
       coalesce(greatest(f.due_at, f.leased_until) > statement_timestamp(), false) as is_paused
     from found f left join merchant m on m.merchant_id = f.merchant_id
     order by f.created_at desc, f.source, f.mail_id limit :size::int offset :skipped::int) s on true`,
);

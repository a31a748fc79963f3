import type { Tenant } from '#kernel/environment.ts';
import { type Posting, postEntriesCtes, postingsValue } from '#modules/ledger/index.ts';
import { casesValue, type OperatorCase, openCasesCtes } from '#modules/operator-cases/index.ts';
import {
  type BatchDraft,
  type EndedTransfer,
  endedValue,
  endTransfersCtes,
  looseCte,
  orderTransfersCtes,
  transferValues,
} from '#modules/transfers/index.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Payout, PayoutStatus, PayoutTrigger } from '../payout.ts';
import { countPayoutsCtes } from './attach-lines.ts';
import { mayClose } from './payouts.ts';

type Values = Tenant & {
  readonly payoutId: string;
  readonly version: number;
  readonly fromStatus: PayoutStatus;
  readonly toStatus: PayoutStatus;
  readonly trigger: PayoutTrigger;
  readonly endToEndId: string | null;
  readonly errorCode: string | null;
  readonly errorDescription: string | null;
  readonly now: Date;
  readonly turnVersion: number | null;
  readonly postings: string;
  readonly batches: string;
  readonly transfers: string;
  readonly ended: string;
  readonly releasesLines: boolean;
  readonly cases: string;
};

/**
 * The payout holds all that is payable on its account: it is the sum of its lines, and nothing of the
 * account is in no payout, so no refund that was handed over is left out.
 */
const isCoveredSql = sql('merchantId', 'environment')`(
         p.amount_pence > 0
         and p.amount_pence = (select sum(l.amount_pence) from payout_line l
           where l.merchant_id = :merchantId and l.environment = :environment
             and l.payout_id = p.payout_id and l.state = 'CURRENT')
         and not exists (select from loose where loose.account = p.sort_code || p.account_number)
         and exists (select from merchant_switch w where w.merchant_id = :merchantId
           and w.environment = :environment and ${mayClose('p', 'w')}))`;

/**
 * One transition of a payout: state, history, entries and the order to the bank, or nothing.
 * Guarded by version and status, and when money leaves by the merchant's turn and balance. A
 * failed one releases its lines, unless its parts are payable by entries of their own.
 */
const commit = statement<Values, { readonly payout_id: string }>(
  'payout_commit',
  sql(
    'merchantId',
    'environment',
    'payoutId',
    'version',
    'fromStatus',
    'toStatus',
    'trigger',
    'endToEndId',
    'errorCode',
    'errorDescription',
    'now',
    'turnVersion',
    'releasesLines',
  )`
   with turn as (
     update outgoing_turn set version = version + 1
     where merchant_id = :merchantId and environment = :environment
       and version = :turnVersion::int returning version),
   ${looseCte},
   won as (
     update payout p set status = :toStatus::text, version = p.version + 1,
       end_to_end_id = :endToEndId::text,
       error_code = case when :toStatus::text = 'FAILED' then :errorCode::text end,
       error_description = case when :toStatus::text = 'FAILED' then :errorDescription::text end,
       due_at = null,
       finalized_at = case when :toStatus::text = 'PROCESSING' then null
         when :toStatus::text = p.status then p.finalized_at else :now::timestamptz end,
       updated_at = :now::timestamptz
     where p.merchant_id = :merchantId and p.environment = :environment
       and p.payout_id = :payoutId::uuid and p.version = :version::int
       and p.status = :fromStatus::text
       and (:turnVersion::int is null or exists (select from turn))
       and case when :fromStatus::text = 'PENDING' then ${isCoveredSql} else true end
     returning p.payout_id, p.version, p.created_at),
   moved as (
     select created_at, :fromStatus::text as status, -1 as change from won
     union all select created_at, :toStatus::text, 1 from won),
   ${countPayoutsCtes('moved')},
   history as (
     insert into payout_history (merchant_id, environment, payout_id, version, from_status,
       to_status, trigger, detail, occurred_at)
     select :merchantId, :environment, won.payout_id, won.version, :fromStatus::text,
       :toStatus::text, :trigger::text, :errorDescription::text, :now::timestamptz from won),
   released as (
     update payout_line l set state = 'RELEASED' from won
     where l.merchant_id = :merchantId and l.environment = :environment
       and l.payout_id = won.payout_id and l.state = 'CURRENT' and :releasesLines::boolean),
   ${orderTransfersCtes('won', 'payout_id')},
   ${endTransfersCtes('won', 'payout_id')},
   ${postEntriesCtes('won', 'payout_id')},
   ${openCasesCtes('won', 'payout_id')}
   select payout_id from won`,
  {
    guardedBy:
      'version and status as read; the version of the turn of outgoing money; what is payable on the ' +
      'account, the switches and the refunds that wait',
  },
);

export type PayoutChange = {
  readonly payout: Payout;
  readonly toStatus: PayoutStatus;
  readonly trigger: PayoutTrigger;
  readonly endToEndId: string | null;
  readonly error: { readonly code: string; readonly description: string } | null;
  readonly turnVersion: number | null;
  readonly postings: readonly Posting[];
  readonly batches: readonly BatchDraft[];
  readonly ended: readonly EndedTransfer[];
  /** What it paid is payable by its lines again, not by entries of its own. */
  readonly releasesLines: boolean;
  readonly opened: readonly OperatorCase[];
};

/** False when another change won and nothing was written. */
export const commitPayout = async (database: Database, change: PayoutChange): Promise<boolean> => {
  const { payout } = change;
  const rows = await database.tenant(payout.tenant.merchantId, commit, {
    ...payout.tenant,
    payoutId: payout.payoutId,
    version: payout.version,
    fromStatus: payout.status,
    toStatus: change.toStatus,
    trigger: change.trigger,
    endToEndId: change.endToEndId,
    errorCode: change.error?.code ?? null,
    errorDescription: change.error?.description ?? null,
    now: payout.now,
    turnVersion: change.turnVersion,
    postings: postingsValue(change.postings),
    ...transferValues(change.batches),
    ended: endedValue(change.ended),
    releasesLines: change.releasesLines,
    cases: casesValue(change.opened.map((opened) => ({ resourceId: payout.payoutId, opened }))),
  });
  return rows.length === 1;
};

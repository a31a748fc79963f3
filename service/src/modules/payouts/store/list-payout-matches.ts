import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type PayoutMatch = 'MATCHED' | 'DIFFERENT' | 'MISSING' | 'WAITING' | 'NOT_CONNECTED';

export type ListedMatch = {
  readonly payout_id: string;
  readonly reference: string;
  readonly amount_pence: bigint;
  readonly settled_at: Date;
  readonly match: PayoutMatch;
  /** Decimal pounds. */
  readonly credited: string;
  readonly credits: number;
  readonly credited_at: Date | null;
  readonly account_id: string | null;
  readonly transaction_id: string | null;
  readonly is_payout_account: boolean | null;
};

type Filter = Tenant & {
  readonly fromDay: string;
  readonly toDay: string;
  readonly match: PayoutMatch | null;
};

/** PAYOUT-7: what was found is kept, what it means follows from it. */
const matchSql = sql('merchantId', 'environment')`
  case when m.credits > 0 and m.credited * 100 = p.amount_pence then 'MATCHED'
     when m.credits > 0 then 'DIFFERENT'
     when m.read_until >= p.finalized_at + ${limits.payoutMatchMs} * interval '1 millisecond'
       then 'MISSING'
     when exists (select from bank_account b where b.merchant_id = :merchantId
       and b.environment = :environment and b.sort_code = p.sort_code
       and b.account_number = p.account_number) then 'WAITING'
     else 'NOT_CONNECTED' end`;

/** An account that is no longer connected is not named any more. */
const found = sql('merchantId', 'environment', 'fromDay', 'toDay')`
  select p.payout_id, p.reference, p.amount_pence, p.finalized_at as settled_at,
     ${matchSql} as match, coalesce(m.credited, 0)::numeric(20, 2)::text as credited,
     coalesce(m.credits, 0) as credits, m.credited_at, b.account_id,
     case when b.account_id is not null then m.transaction_id end as transaction_id,
     m.is_payout_account
   from payout p
   left join payout_match m on m.merchant_id = :merchantId and m.environment = :environment
     and m.payout_id = p.payout_id
   left join bank_account b on b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = m.account_id
   where p.merchant_id = :merchantId and p.environment = :environment and p.status = 'SETTLED'
     and p.finalized_at >= :fromDay::date::timestamp at time zone 'Europe/London'
     and p.finalized_at < (:toDay::date + 1)::timestamp at time zone 'Europe/London'`;

export const listMatches = statement<
  Filter & { readonly limit: number; readonly skipped: number },
  ListedMatch
>(
  'payout_match_list',
  sql('match', 'limit', 'skipped')`
   select * from (${found}) f where :match::text is null or f.match = :match::text
   order by f.settled_at desc, f.payout_id desc limit :limit::int offset :skipped::int`,
  { isPlannedPerCall: true },
);

export const countMatches = statement<Filter, { readonly total: number }>(
  'payout_match_count',
  sql('match')`
   select count(*)::int as total from (${found}) f
   where :match::text is null or f.match = :match::text`,
  { isPlannedPerCall: true },
);

/** The newest first, after the last one read. */
export const listExportedMatches = statement<
  Omit<Filter, 'match'> & {
    readonly limit: number;
    readonly afterAt: Date | null;
    readonly afterId: string | null;
  },
  ListedMatch
>(
  'export_payout_matches',
  sql('afterAt', 'afterId', 'limit')`
   ${found}
     and p.finalized_at <= coalesce(:afterAt::timestamptz, 'infinity')
     and (:afterAt::timestamptz is null
       or (p.finalized_at, p.payout_id) < (:afterAt::timestamptz, :afterId::uuid))
   order by p.finalized_at desc, p.payout_id desc limit :limit::int`,
);

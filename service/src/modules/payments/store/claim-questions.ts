import type { Database } from '#platform/database/open-database.ts';
import { statement } from '#platform/database/statement.ts';
import type { DueAttempt } from './claim-due.ts';

export type DueQuestion = DueAttempt & { readonly institution_id: string };

type Claim = {
  readonly most: number;
  readonly mostPerBank: number;
  readonly leaseMs: number;
  /** What this program is asking already, per bank. */
  readonly banks: readonly string[];
  readonly running: readonly number[];
};

const mostRead = 1_000;
const bankOf = (alias: string) => `${alias}.environment || ' ' || ${alias}.institution_id`;
const isFree = (alias: string) => `${alias}.poll_at is not null
  and ${alias}.poll_at <= clock_timestamp()
  and (${alias}.leased_until is null or ${alias}.leased_until < clock_timestamp())`;

// A lease, so that one worker at a time talks to the bank about an attempt. A bank that is asked as much
// as it may be is left out before the oldest are read: its backlog must not stand before the others.
const claimPolls = statement<Claim, DueQuestion>(
  'payment_claim_polls',
  `with busy as (
     select * from unnest(:banks::text[], :running::int[]) as b (bank, running)),
   waiting as materialized (
     select w.merchant_id, w.environment, w.attempt_id, w.poll_at, ${bankOf('w')} as bank
     from attempt w where ${isFree('w')} and w.method = 'PAY_BY_BANK'
       and not exists (select from busy where busy.bank = ${bankOf('w')}
         and busy.running >= :mostPerBank)
     order by w.poll_at limit ${mostRead}),
   placed as (
     select waiting.*, row_number() over (partition by waiting.bank order by waiting.poll_at)
       + coalesce(busy.running, 0) as place
     from waiting left join busy on busy.bank = waiting.bank),
   due as materialized (
     select f.merchant_id, f.environment, f.attempt_id
     from placed p join attempt f on f.merchant_id = p.merchant_id
       and f.environment = p.environment and f.attempt_id = p.attempt_id
     where p.place <= :mostPerBank and ${isFree('f')}
     order by p.poll_at limit :most for update of f skip locked)
   update attempt a set leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due
   where a.merchant_id = due.merchant_id and a.environment = due.environment
     and a.attempt_id = due.attempt_id
   returning a.merchant_id, a.environment, a.payment_request_id, a.attempt_id, a.institution_id`,
);

export const claimQuestions = (database: Database, claim: Claim): Promise<readonly DueQuestion[]> =>
  database.system(claimPolls, claim);

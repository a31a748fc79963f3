import { isNotPutOff, type Work } from '#platform/database/finish-work.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import type { DueAttempt } from './claim-due.ts';

export type AttemptClaim = {
  readonly limit: number;
  readonly maxPerPartner: number;
  readonly leaseMs: number;
  /** Whom this program is calling already, and about how many. */
  readonly partners: readonly string[];
  readonly running: readonly number[];
};

/** An attempt that is due for a call, and the bank or processor to call. */
export type DueCall = DueAttempt & {
  readonly partner: string;
  /** The last call failed. */
  readonly has_failed: boolean;
};

export type ClaimDueAttempts = Statement<AttemptClaim, DueCall>;

const maxRead = 1_000;

type Due = {
  readonly table: 'attempt' | 'attempt_poll';
  readonly at: 'poll_at' | 'capture_at';
  /** Conditions that lead to the rows by an index. */
  readonly only: (alias: string) => string;
  readonly partnerOf: (alias: string) => string;
  readonly work: Work;
};

/**
 * Claims attempts by a lease, so that one worker at a time calls about an attempt. Partners that are called
 * as much as they may be are left out before the oldest are read: their backlog must not delay the others.
 */
export const claimDueAttempts = (
  name: string,
  { table, at, only, partnerOf, work }: Due,
): ClaimDueAttempts => {
  const isFree = (alias: string) => `${only(alias)} and ${alias}.${at} <= statement_timestamp()
  and (${alias}.leased_until is null or ${alias}.leased_until < statement_timestamp())`;
  return statement<AttemptClaim, DueCall>(
    name,
    sql('partners', 'running', 'maxPerPartner', 'limit', 'leaseMs')`
   with busy as (
     select * from unnest(:partners::text[], :running::int[]) as b (partner, running)),
   waiting as materialized (
     select w.merchant_id, w.environment, w.attempt_id, w.${at} as due_at,
       ${partnerOf('w')} as partner
     from ${table} w where ${isFree('w')} and ${isNotPutOff('w', 'attempt_id', work)}
       and not exists (select from busy where busy.partner = ${partnerOf('w')}
         and busy.running >= :maxPerPartner)
     order by w.${at} limit ${maxRead}),
   placed as (
     select waiting.*, row_number() over (partition by waiting.partner order by waiting.due_at)
       + coalesce(busy.running, 0) as position
     from waiting left join busy on busy.partner = waiting.partner),
   due as materialized (
     select f.merchant_id, f.environment, f.attempt_id
     from placed p join ${table} f on f.merchant_id = p.merchant_id
       and f.environment = p.environment and f.attempt_id = p.attempt_id
     where p.position <= :maxPerPartner and ${isFree('f')}
     order by p.due_at limit :limit for update of f skip locked)
   update ${table} a set leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due
   where a.merchant_id = due.merchant_id and a.environment = due.environment
     and a.attempt_id = due.attempt_id
   returning a.merchant_id, a.environment, a.payment_request_id, a.attempt_id,
     ${partnerOf('a')} as partner,
     exists (select from work_lease l where l.merchant_id = a.merchant_id
       and l.environment = a.environment and l.subject_id = a.attempt_id
       and l.work = '${work}') as has_failed`,
    { guardedBy: 'lease and skip locked: one worker at a time works on an attempt' },
  );
};

/** Attempts of one method that are to be polled. */
export const pollsOf = (
  method: 'PAY_BY_BANK' | 'CARD',
  partnerOf: (alias: string) => string,
): Due => ({
  table: 'attempt_poll',
  at: 'poll_at',
  only: (alias) => `${alias}.method = '${method}' and ${alias}.watch_from <= statement_timestamp()`,
  partnerOf,
  work: 'POLL',
});

export const runClaim = (
  database: Database,
  kind: ClaimDueAttempts,
  requested: AttemptClaim,
): Promise<readonly DueCall[]> => database.system(kind, requested);

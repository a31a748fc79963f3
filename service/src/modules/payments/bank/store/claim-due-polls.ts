import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import type { DueAttempt } from '../../core/store/claim-due.ts';

export type Claim = {
  readonly limit: number;
  readonly maxPerPartner: number;
  readonly leaseMs: number;
  /** Banks and accounts that this program polls already, with the number of polls. */
  readonly partners: readonly string[];
  readonly running: readonly number[];
};

export type ClaimDuePolls = Statement<Claim, DuePoll>;

const maxRead = 1_000;

type Due = { readonly at: 'poll_at' | 'capture_at'; readonly only: string };

// A lease, so that one worker at a time polls an attempt. Banks at their limit are left out before
// the oldest are read: their backlog must not delay the others.
const claim = (
  name: string,
  { at, only }: Due,
  partnerOf: (alias: string) => string,
): ClaimDuePolls => {
  const isFree = (alias: string) => `${alias}.${at} is not null
  and ${alias}.${at} <= statement_timestamp()
  and (${alias}.leased_until is null or ${alias}.leased_until < statement_timestamp())`;
  return statement<Claim, DuePoll>(
    name,
    sql('partners', 'running', 'maxPerPartner', 'limit', 'leaseMs')`
   with busy as (
     select * from unnest(:partners::text[], :running::int[]) as b (partner, running)),
   waiting as materialized (
     select w.merchant_id, w.environment, w.attempt_id, w.${at} as due_at,
       ${partnerOf('w')} as partner
     from attempt w where ${isFree('w')} and w.method = '${only}'
       and not exists (select from busy where busy.partner = ${partnerOf('w')}
         and busy.running >= :maxPerPartner)
     order by w.${at} limit ${maxRead}),
   placed as (
     select waiting.*, row_number() over (partition by waiting.partner order by waiting.due_at)
       + coalesce(busy.running, 0) as position
     from waiting left join busy on busy.partner = waiting.partner),
   due as materialized (
     select f.merchant_id, f.environment, f.attempt_id
     from placed p join attempt f on f.merchant_id = p.merchant_id
       and f.environment = p.environment and f.attempt_id = p.attempt_id
     where p.position <= :maxPerPartner and ${isFree('f')}
     order by p.due_at limit :limit for update of f skip locked)
   update attempt a set leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due
   where a.merchant_id = due.merchant_id and a.environment = due.environment
     and a.attempt_id = due.attempt_id
   returning a.merchant_id, a.environment, a.payment_request_id, a.attempt_id,
     ${partnerOf('a')} as partner`,
    { guardedBy: 'lease and skip locked: one worker at a time works on an attempt' },
  );
};

const bankOf = (alias: string) => `${alias}.environment || ' ' || ${alias}.institution_id`;
const accountOf = (alias: string) => `${alias}.environment || ' ' || ${alias}.merchant_id`;

export const bankPolls = claim(
  'payment_claim_polls',
  { at: 'poll_at', only: 'PAY_BY_BANK' },
  bankOf,
);

// A merchant's own account at the processor may be slow on its own.
export const cardPolls = claim(
  'payment_claim_card_polls',
  { at: 'poll_at', only: 'CARD' },
  accountOf,
);

export const cardCaptures = claim(
  'payment_claim_captures',
  { at: 'capture_at', only: 'CARD' },
  accountOf,
);

export const claimDuePolls = (
  database: Database,
  kind: ClaimDuePolls,
  requested: Claim,
): Promise<readonly DuePoll[]> => database.system(kind, requested);

/** An attempt that is due for a call, and the bank or processor to call. */
export type DuePoll = DueAttempt & { readonly partner: string };

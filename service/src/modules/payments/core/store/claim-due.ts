import type { Environment } from '#kernel/environment.ts';
import {
  earliestOfEach,
  ofEachEnvironment,
  ofShare,
} from '#platform/database/of-each-environment.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import { isNotPutOff, stuckRows, type Work } from '#platform/database/stuck-rows.ts';

export type DueRequest = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly payment_request_id: string;
};

export type DueAttempt = DueRequest & { readonly attempt_id: string };

export type Claim = {
  readonly limit: number;
  readonly leaseMs: number;
  /** A moved sandbox clock does at once what a worker may be doing too: the version decides. */
  readonly ignoresLeases: boolean;
};

/** Work of one kind, claimed by rows of `work_lease`: `due` selects the rows with their `subject_id`. */
export const claimed = (work: Work, due: string) => sql('leaseMs', 'ignoresLeases')`
   with due as materialized (${ofEachEnvironment(sql('limit', 'ignoresLeases')`${due}`)}),
   claimed as (
     insert into work_lease as l (merchant_id, environment, subject_id, work, leased_until)
     select merchant_id, environment, subject_id, '${work}',
       clock_timestamp() + :leaseMs * interval '1 millisecond'
     from due order by merchant_id, environment, subject_id
     on conflict (merchant_id, environment, subject_id, work) do update
       set leased_until = excluded.leased_until
       where l.leased_until <= statement_timestamp() or :ignoresLeases and l.failures = 0
     returning l.merchant_id, l.environment, l.subject_id)
   select due.* from due join claimed c on c.merchant_id = due.merchant_id
     and c.environment = due.environment and c.subject_id = due.subject_id`;
export const isNotLeased = (subject: string, work: Work) => `not exists (
     select from work_lease l where l.merchant_id = d.merchant_id and l.environment = d.environment
       and l.subject_id = d.${subject} and l.work = '${work}'
       and l.leased_until > statement_timestamp() and (l.failures > 0 or not :ignoresLeases))`;

const key = 'd.merchant_id, d.environment, d.payment_request_id';

const dueRequests = statement<Claim, DueRequest>(
  'payment_due_requests',
  claimed(
    'EXPIRE',
    `select ${key}, d.payment_request_id as subject_id from payment_request d
     where ${ofShare('d')} and d.status = 'OPEN' and d.live_attempt_count = 0
       and d.expires_at <= statement_timestamp()
       and ${isNotLeased('payment_request_id', 'EXPIRE')}
     order by d.expires_at limit :limit`,
  ),
  { guardedBy: 'work_lease: one worker at a time; the version decides what is written' },
);

// A program of ours is in the middle of these; they are late when its lease is over.
const isWorkedOn = `step = 'EXCHANGING'`;

const attemptKey = `${key}, d.attempt_id, d.attempt_id as subject_id`;

const dueAuthorisations = statement<Claim, DueAttempt>(
  'payment_due_authorisations',
  claimed(
    'ABANDON',
    `(select ${attemptKey} from attempt d
       where ${ofShare('d')} and d.status = 'AWAITING_AUTHORIZATION'
         and d.authorise_by <= statement_timestamp()
         and (d.method = 'PAY_BY_BANK' or d.step = 'OPENING_PAGE') and not ${isWorkedOn}
         and ${isNotLeased('attempt_id', 'ABANDON')}
       order by d.authorise_by limit :limit)
     union all
     (select ${attemptKey} from attempt d
       where ${ofShare('d')} and ${isWorkedOn}
         and (d.leased_until is null or d.leased_until <= statement_timestamp())
         and ${isNotLeased('attempt_id', 'ABANDON')}
       order by d.leased_until limit :limit)`,
  ),
  { guardedBy: 'work_lease: one worker at a time; the version decides what is written' },
);

const isToAlert = (row: string) =>
  `${row}.ended_reason = 'BLOCKED' and ${row}.operator_alerted_at is null`;

// Found by an index of its own, so that a killed program loses no alert.
const dueOperatorAlerts = statement<Claim, DueAttempt>(
  'payment_due_operator_alerts',
  claimed(
    'ALERT',
    `select ${attemptKey} from attempt d
     where ${ofShare('d')} and ${isToAlert('d')}
       and ${isNotLeased('attempt_id', 'ALERT')}
     order by d.updated_at limit :limit`,
  ),
  { guardedBy: 'work_lease: one worker at a time; the version decides what is written' },
);

const isFree = '(leased_until is null or leased_until < statement_timestamp())';

/** Those that are looked at already, and the first that will be. */
const pollDueAt = (method: string) =>
  earliestOfEach(`least(
     (select min(poll_at) from attempt_poll where ${ofShare()} and method = '${method}'
       and watch_from <= statement_timestamp() and ${isFree}),
     (select min(watch_from) from attempt_poll where ${ofShare()} and method = '${method}'
       and watch_from > statement_timestamp()))`);

/** When work of each kind is due next; null: nothing waits. */
export const expireDueAt = earliestOfEach(`(select min(expires_at) from payment_request
     where ${ofShare()} and status = 'OPEN' and live_attempt_count = 0)`);
export const abandonDueAt = earliestOfEach(`least(
     (select min(authorise_by) from attempt
       where ${ofShare()} and status = 'AWAITING_AUTHORIZATION'
         and (method = 'PAY_BY_BANK' or step = 'OPENING_PAGE')
         and not ${isWorkedOn}),
     (select min(coalesce(leased_until, statement_timestamp())) from attempt
       where ${ofShare()} and ${isWorkedOn}))`);
export const alertDueAt = earliestOfEach(`(select d.updated_at from attempt d
     where ${ofShare('d')} and ${isToAlert('d')} order by d.updated_at limit 1)`);
export const pollBankDueAt = pollDueAt('PAY_BY_BANK');
export const pollCardDueAt = pollDueAt('CARD');
export const captureDueAt = earliestOfEach(`(select min(capture_at) from attempt
     where ${ofShare()} and capture_at is not null and ${isFree})`);

const leaseMs = 45_000;

export const claimDue = (database: Database, ignoresLeases: boolean) => {
  const claim = (limit: number): Claim => ({ limit, leaseMs, ignoresLeases });
  return {
    requests: (limit: number) => database.system(dueRequests, claim(limit)),
    authorisations: (limit: number) => database.system(dueAuthorisations, claim(limit)),
    operatorAlerts: (limit: number) => database.system(dueOperatorAlerts, claim(limit)),
  };
};

type AttemptClaim = {
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
    sql('partners', 'running', 'leaseMs')`
   with busy as (
     select * from unnest(:partners::text[], :running::int[]) as b (partner, running)),
   waiting as materialized (${ofEachEnvironment(sql('maxPerPartner')`
     select w.merchant_id, w.environment, w.attempt_id, w.${at} as due_at,
       ${partnerOf('w')} as partner
     from ${table} w where ${ofShare('w')} and ${isFree('w')}
       and ${isNotPutOff('w', 'attempt_id', work)}
       and not exists (select from busy where busy.partner = ${partnerOf('w')}
         and busy.running >= :maxPerPartner)
     order by w.${at} limit ${maxRead}`)}),
   placed as materialized (
     select waiting.*, row_number() over (partition by waiting.partner order by waiting.due_at)
       + coalesce(busy.running, 0) as position
     from waiting left join busy on busy.partner = waiting.partner),
   due as materialized (${ofEachEnvironment(sql('maxPerPartner', 'limit')`
     select f.merchant_id, f.environment, f.attempt_id
     from placed p join ${table} f on f.merchant_id = p.merchant_id
       and f.environment = p.environment and f.attempt_id = p.attempt_id
     where ${ofShare('p')} and p.position <= :maxPerPartner and ${isFree('f')}
     order by p.due_at limit :limit for update of f skip locked`)})
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

const ofAttempt = {
  merchantId: 'w.merchant_id',
  workId: 'w.attempt_id',
  paymentRequestId: 'w.payment_request_id',
} as const;

const pollsBy = (method: string) => ({
  ...ofAttempt,
  ...{ from: 'attempt_poll w', dueAt: 'w.poll_at', leasedUntil: 'w.leased_until' },
  where: `w.method = '${method}' and w.watch_from <= statement_timestamp()`,
  pausedAs: 'POLL',
});

/** Work on payments that is not done. */
export const stuckPayments = [
  stuckRows({
    ...{ ...ofAttempt, kind: 'EXPIRE', workId: 'w.payment_request_id', pausedAs: 'EXPIRE' },
    ...{ from: 'payment_request w', dueAt: 'w.expires_at' },
    where: `w.status = 'OPEN' and w.live_attempt_count = 0`,
  }),
  stuckRows({
    ...{ ...ofAttempt, kind: 'ABANDON', pausedAs: 'ABANDON' },
    ...{ from: 'attempt w', dueAt: 'w.authorise_by' },
    where: `w.status = 'AWAITING_AUTHORIZATION' and not ${isWorkedOn}
        and (w.method = 'PAY_BY_BANK' or w.step = 'OPENING_PAGE')`,
  }),
  stuckRows({
    ...{ ...ofAttempt, kind: 'ABANDON', pausedAs: 'ABANDON' },
    ...{ from: 'attempt w', dueAt: 'coalesce(w.leased_until, w.updated_at)' },
    where: isWorkedOn,
  }),
  stuckRows({
    ...{ ...ofAttempt, kind: 'ALERT', pausedAs: 'ALERT' },
    ...{ from: 'attempt w', where: isToAlert('w'), dueAt: 'w.updated_at' },
  }),
  stuckRows({ kind: 'POLL_BANK', ...pollsBy('PAY_BY_BANK') }),
  stuckRows({ kind: 'POLL_CARD', ...pollsBy('CARD') }),
  stuckRows({
    ...{ ...ofAttempt, kind: 'CAPTURE', pausedAs: 'CAPTURE', leasedUntil: 'w.leased_until' },
    ...{ from: 'attempt w', where: 'w.capture_at is not null', dueAt: 'w.capture_at' },
  }),
];

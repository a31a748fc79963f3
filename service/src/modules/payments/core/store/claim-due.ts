import type { Environment } from '#kernel/environment.ts';
import type { Work } from '#platform/database/finish-work.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type DueRequest = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly payment_request_id: string;
};

export type DueAttempt = DueRequest & { readonly attempt_id: string };

type Claim = {
  readonly limit: number;
  readonly leaseMs: number;
  /** A moved sandbox clock does at once what a worker may be doing too: the version decides. */
  readonly ignoresLeases: boolean;
};

/** Work of one kind, claimed by rows of `work_lease`: `due` selects the rows with their `subject_id`. */
const claimed = (work: Work, due: string) => sql('limit', 'leaseMs', 'ignoresLeases')`
   with due as materialized (${due}),
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
const isNotLeased = (subject: string, work: Work) => `not exists (
     select from work_lease l where l.merchant_id = d.merchant_id and l.environment = d.environment
       and l.subject_id = d.${subject} and l.work = '${work}'
       and l.leased_until > statement_timestamp() and (l.failures > 0 or not :ignoresLeases))`;

const key = 'd.merchant_id, d.environment, d.payment_request_id';

const dueRequests = statement<Claim, DueRequest>(
  'payment_due_requests',
  claimed(
    'EXPIRE',
    `select ${key}, d.payment_request_id as subject_id from payment_request d
     where d.status = 'OPEN' and d.live_attempt_count = 0 and d.expires_at <= statement_timestamp()
       and ${isNotLeased('payment_request_id', 'EXPIRE')}
     order by d.expires_at limit :limit`,
  ),
  { guardedBy: 'work_lease: one worker at a time; the version decides what is written' },
);

// A program of ours is in the middle of these; they are late when its lease is over.
export const isWorkedOn = `(step in ('CREATING_CONSENT', 'EXCHANGING'))`;

const attemptKey = `${key}, d.attempt_id, d.attempt_id as subject_id`;

const dueAuthorisations = statement<Claim, DueAttempt>(
  'payment_due_authorisations',
  claimed(
    'ABANDON',
    `(select ${attemptKey} from attempt d
       where d.status = 'AWAITING_AUTHORIZATION' and d.authorise_by <= statement_timestamp()
         and (d.method = 'PAY_BY_BANK' or d.step = 'OPENING_PAGE') and not ${isWorkedOn}
         and ${isNotLeased('attempt_id', 'ABANDON')}
       order by d.authorise_by limit :limit)
     union all
     (select ${attemptKey} from attempt d
       where ${isWorkedOn} and (d.leased_until is null or d.leased_until <= statement_timestamp())
         and ${isNotLeased('attempt_id', 'ABANDON')}
       order by d.leased_until limit :limit)`,
  ),
  { guardedBy: 'work_lease: one worker at a time; the version decides what is written' },
);

export const isToAlert = (row: string) =>
  `${row}.ended_reason = 'BLOCKED' and ${row}.operator_alerted_at is null`;

// Found by an index of its own, so that a killed program loses no alert.
const dueOperatorAlerts = statement<Claim, DueAttempt>(
  'payment_due_operator_alerts',
  claimed(
    'ALERT',
    `select ${attemptKey} from attempt d
     where ${isToAlert('d')} and ${isNotLeased('attempt_id', 'ALERT')}
     order by d.updated_at limit :limit`,
  ),
  { guardedBy: 'work_lease: one worker at a time; the version decides what is written' },
);

const isFree = '(leased_until is null or leased_until < statement_timestamp())';

/** Those that are looked at already, and the first that will be. */
const pollDueAt = (method: string) => `least(
     (select min(poll_at) from attempt_poll where method = '${method}'
       and watch_from <= statement_timestamp() and ${isFree}),
     (select min(watch_from) from attempt_poll where method = '${method}'
       and watch_from > statement_timestamp()))`;

/** When work of each kind is due next; null: nothing waits. */
export const expireDueAt = sql()`(select min(expires_at) from payment_request
     where status = 'OPEN' and live_attempt_count = 0)`;
export const abandonDueAt = sql()`least(
     (select min(authorise_by) from attempt
       where status = 'AWAITING_AUTHORIZATION' and (method = 'PAY_BY_BANK' or step = 'OPENING_PAGE')
         and not ${isWorkedOn}),
     (select min(coalesce(leased_until, statement_timestamp())) from attempt where ${isWorkedOn}))`;
export const alertDueAt = sql()`(select d.updated_at from attempt d where ${isToAlert('d')}
     order by d.updated_at limit 1)`;
export const pollBankDueAt = sql()`${pollDueAt('PAY_BY_BANK')}`;
export const pollCardDueAt = sql()`${pollDueAt('CARD')}`;
export const captureDueAt = sql()`(select min(capture_at) from attempt
     where capture_at is not null and ${isFree})`;

const leaseMs = 45_000;

export const claimDue = (database: Database, ignoresLeases: boolean) => {
  const claim = (limit: number): Claim => ({ limit, leaseMs, ignoresLeases });
  return {
    requests: (limit: number) => database.system(dueRequests, claim(limit)),
    authorisations: (limit: number) => database.system(dueAuthorisations, claim(limit)),
    operatorAlerts: (limit: number) => database.system(dueOperatorAlerts, claim(limit)),
  };
};

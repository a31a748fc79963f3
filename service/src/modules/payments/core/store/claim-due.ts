import type { Environment } from '#kernel/environment.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type DueRequest = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly payment_request_id: string;
};

export type DueAttempt = DueRequest & { readonly attempt_id: string };

type Limit = { readonly limit: number };

const dueRequests = statement<Limit, DueRequest>(
  'payment_due_requests',
  sql('limit')`
   select merchant_id, environment, payment_request_id from payment_request
   where status = 'OPEN' and live_attempt_count = 0 and expires_at <= statement_timestamp()
   order by expires_at limit :limit`,
);

// A program of ours is in the middle of these; they are late when its lease is over.
const isWorkedOn = `(step in ('CREATING_CONSENT', 'EXCHANGING'))`;

const dueAuthorisations = statement<Limit, DueAttempt>(
  'payment_due_authorisations',
  sql('limit')`
   (select merchant_id, environment, payment_request_id, attempt_id from attempt
     where status = 'AWAITING_AUTHORIZATION' and authorise_by <= statement_timestamp()
       and (method = 'PAY_BY_BANK' or step = 'OPENING_PAGE') and not ${isWorkedOn}
     order by authorise_by limit :limit)
   union all
   (select merchant_id, environment, payment_request_id, attempt_id from attempt
     where ${isWorkedOn} and (leased_until is null or leased_until <= statement_timestamp())
     order by leased_until limit :limit)`,
);

// Found by an index of its own, so that a killed program loses no alert.
const dueOperatorAlerts = statement<Limit, DueAttempt>(
  'payment_due_operator_alerts',
  sql('limit')`
   select merchant_id, environment, payment_request_id, attempt_id from attempt
   where ended_reason = 'BLOCKED' and operator_alerted_at is null order by updated_at limit :limit`,
);

const nextDue = statement<object, { due_at: Date | null }>(
  'payment_next_due',
  sql()`
   select least(
     (select min(expires_at) from payment_request where status = 'OPEN' and live_attempt_count = 0),
     (select min(authorise_by) from attempt
       where status = 'AWAITING_AUTHORIZATION' and (method = 'PAY_BY_BANK' or step = 'OPENING_PAGE')
         and not ${isWorkedOn}),
     (select min(coalesce(leased_until, statement_timestamp())) from attempt where ${isWorkedOn}),
     (select min(poll_at) from attempt where poll_at is not null
       and (leased_until is null or leased_until < statement_timestamp())),
     (select min(capture_at) from attempt where capture_at is not null
       and (leased_until is null or leased_until < statement_timestamp()))) as due_at`,
);

export const claimDue = (database: Database) => ({
  requests: (limit: number) => database.system(dueRequests, { limit }),
  authorisations: (limit: number) => database.system(dueAuthorisations, { limit }),
  operatorAlerts: (limit: number) => database.system(dueOperatorAlerts, { limit }),
  next: async (): Promise<Date | null> => (await database.system(nextDue, {}))[0]?.due_at ?? null,
});

import type { Environment, Tenant } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { isNotPutOff } from '#platform/database/finish-work.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type DueAuthorisation = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly authorisation_id: string;
  readonly is_lease_over: boolean;
};

const isNotPaused = isNotPutOff('a', 'authorisation_id', 'END_LINK');

/** Those whose time has come, and exchanges whose worker was killed. */
export const findDueAuthorisations = statement<{ readonly limit: number }, DueAuthorisation>(
  'bank_authorisation_find_due',
  sql('limit')`
   (select merchant_id, environment, authorisation_id, false as is_lease_over
    from bank_authorisation a
    where due_at <= statement_timestamp() and status <> 'EXCHANGING' and ${isNotPaused}
    order by due_at limit :limit)
   union all
   (select merchant_id, environment, authorisation_id, true
    from bank_authorisation a
    where leased_until <= statement_timestamp() and ${isNotPaused}
    order by leased_until limit :limit)`,
);

export const endDueAt = sql()`least(
     ${earliestDue({ at: 'due_at', from: 'bank_authorisation', and: `status <> 'EXCHANGING'` })},
     (select min(leased_until) from bank_authorisation where leased_until is not null))`;

export const nextDue = statement<
  Tenant & { readonly after: Date },
  { readonly due_at: Date | null }
>(
  'bank_authorisation_tenant_next_due',
  sql('merchantId', 'environment', 'after')`
   select min(due_business_at) as due_at from bank_authorisation
   where merchant_id = :merchantId and environment = :environment and ended_at is null
     and due_business_at > :after`,
);

export const recomputeDue = statement<Tenant, never>(
  'bank_authorisation_tenant_recompute',
  sql('merchantId', 'environment')`
   update bank_authorisation a
   set due_at = a.due_business_at - clock_offset(:merchantId::uuid, :environment::text)
   where a.merchant_id = :merchantId and a.environment = :environment and a.ended_at is null
     and a.due_at <> a.due_business_at - clock_offset(:merchantId::uuid, :environment::text)`,
  { guardedBy: 'derives from the business time, so a repeat changes nothing' },
);

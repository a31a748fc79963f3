import type { Environment, Tenant } from '#kernel/environment.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import {
  earliestOfEach,
  ofEachEnvironment,
  ofShare,
} from '#platform/database/of-each-environment.ts';
import {
  type Continued,
  goesOn,
  type NewestFirst,
  newestFirstSql,
} from '#platform/database/pages.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff } from '#platform/database/stuck-rows.ts';
import type { AuthorisationRow } from '../authorisation.ts';

const columns = sql()`a.merchant_id, a.environment, a.authorisation_id, a.status, a.version,
  a.redirect_url, a.callback_params, a.secret_id, a.request_id, a.institution_id, a.bank_name,
  a.oauth_state, a.starts, a.rail_state_encrypted, a.consent_reference, a.ended_reason, a.link_expires_at,
  a.reconfirm_by, a.due_business_at as due_at, a.linked_at, a.ended_at, a.created_at,
  m.business_name as merchant_name,
  date_trunc('milliseconds', statement_timestamp()) + clock.moved as now`;

type Key = Tenant & { readonly authorisationId: string };

export const readAuthorisation = statement<Key, AuthorisationRow>(
  'bank_authorisation_read',
  sql('merchantId', 'environment', 'authorisationId')`
   select ${columns} from bank_authorisation a
   cross join (select ${clockOffsetSql} as moved) clock
   join merchant m on m.merchant_id = :merchantId
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.authorisation_id = :authorisationId::uuid`,
);

/** All that have not ended; those of a page of a merchant's are few. */
export const listLiveAuthorisations = statement<
  Tenant & { readonly limit: number },
  { readonly authorisation_id: string }
>(
  'bank_authorisation_live',
  sql('merchantId', 'environment', 'limit')`
   select authorisation_id from bank_authorisation
   where merchant_id = :merchantId and environment = :environment and ended_at is null
   order by authorisation_id limit :limit::int`,
);

const newest = newestFirstSql('a', 'authorisation_id');

/** The newest first, from a row on. */
export const listNewestAuthorisations = statement<
  Tenant & NewestFirst,
  AuthorisationRow & Continued
>(
  'bank_authorisation_newest',
  sql('merchantId', 'environment')`
   select ${columns}, ${goesOn('a', 'authorisation_id')}
   from bank_authorisation a
   cross join (select ${clockOffsetSql} as moved) clock
   join merchant m on m.merchant_id = :merchantId
   where a.merchant_id = :merchantId and a.environment = :environment${newest}`,
);

type New = Key & {
  readonly redirectUrl: string;
  readonly callbackParams: string;
  readonly secretId: string;
  readonly requestId: string;
  readonly linkMs: number;
};

/** A repeat with the same id writes nothing, and so does a suspended merchant. */
export const insertAuthorisation = statement<New, never>(
  'bank_authorisation_insert',
  sql(
    'merchantId',
    'environment',
    'authorisationId',
    'redirectUrl',
    'callbackParams',
    'secretId',
    'requestId',
    'linkMs',
  )`
   with tenant as materialized (
     select date_trunc('milliseconds', statement_timestamp()) + c.moved as now, c.moved
     from (select ${clockOffsetSql} as moved) c),
   made as (
     insert into bank_authorisation (merchant_id, environment, authorisation_id, status,
       redirect_url, callback_params, secret_id, request_id, link_expires_at, due_business_at,
       due_at, created_at, updated_at)
     select :merchantId, :environment, :authorisationId::uuid, 'OPEN', :redirectUrl,
       :callbackParams::jsonb, :secretId::uuid, :requestId::uuid, t.ends, t.ends,
       t.ends - t.moved, t.now, t.now
     from (select *, now + :linkMs::int * interval '1 millisecond' as ends from tenant) t
     where not exists (select from merchant_switch w where w.merchant_id = :merchantId
       and w.environment = :environment and w.suspension_id is not null)
     on conflict do nothing returning authorisation_id, version, created_at),
   history as (
     insert into bank_authorisation_history (merchant_id, environment, authorisation_id, version,
       to_status, trigger, occurred_at)
     select :merchantId, :environment, made.authorisation_id, made.version, 'OPEN', 'initiated',
       made.created_at from made)
   insert into public_id (public_id, kind, merchant_id, environment, target_id)
   select made.authorisation_id::text, 'BANK_AUTHORISATION', :merchantId, :environment,
     made.authorisation_id from made`,
  { guardedBy: 'its id, which a repeat of the request finds again' },
);

type AuthorisationHistoryRow = {
  readonly from_status: string | null;
  readonly to_status: string;
  readonly trigger: string;
  readonly detail: string | null;
  readonly occurred_at: Date;
};

export const readAuthorisationHistory = statement<Key, AuthorisationHistoryRow>(
  'bank_authorisation_history_read',
  sql('merchantId', 'environment', 'authorisationId')`
   select from_status, to_status, trigger, detail, occurred_at from bank_authorisation_history
   where merchant_id = :merchantId and environment = :environment
     and authorisation_id = :authorisationId::uuid
   order by version`,
);

export type AccountRow = {
  readonly account_id: string;
  readonly bank_name: string;
  readonly sort_code: string | null;
  readonly account_number: string | null;
};

/** In the order of the bank. */
export const listLinkedAccounts = statement<
  Tenant & { readonly authorisationId: string },
  AccountRow
>(
  'bank_authorisation_accounts',
  sql('merchantId', 'environment', 'authorisationId')`
   select b.account_id, b.bank_name, b.sort_code, b.account_number
   from bank_account_link l
   join bank_account b on b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = l.account_id
   where l.merchant_id = :merchantId and l.environment = :environment
     and l.authorisation_id = :authorisationId::uuid
   order by l.position`,
);

export type LinkedAccountRow = {
  readonly authorisation_id: string;
  readonly last_four: string | null;
  readonly balance: number | null;
  readonly refreshed_at: Date | null;
};

/** Of a page of authorisations, as they were read last. */
export const listAccountsOfLinks = statement<
  Tenant & { readonly authorisationIds: readonly string[] },
  LinkedAccountRow
>(
  'bank_authorisation_accounts_of_page',
  sql('merchantId', 'environment', 'authorisationIds')`
   select l.authorisation_id, right(b.account_number, 4) as last_four, b.balance::float8 as balance,
     b.refreshed_at
   from bank_account_link l
   join bank_account b on b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = l.account_id and not b.is_leaving
   where l.merchant_id = :merchantId and l.environment = :environment
     and l.authorisation_id = any (:authorisationIds::uuid[])
   order by l.position`,
);

type DueAuthorisation = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly authorisation_id: string;
  readonly is_lease_over: boolean;
};

const isNotPaused = isNotPutOff('a', 'authorisation_id', 'END_LINK');

/** Those whose time has come, and exchanges whose worker was killed. */
export const findDueAuthorisations = statement<{ readonly limit: number }, DueAuthorisation>(
  'bank_authorisation_find_due',
  ofEachEnvironment(sql('limit')`
   (select merchant_id, environment, authorisation_id, false as is_lease_over
    from bank_authorisation a
    where ${ofShare('a')} and due_at <= statement_timestamp() and status <> 'EXCHANGING'
      and ${isNotPaused}
    order by due_at limit :limit)
   union all
   (select merchant_id, environment, authorisation_id, true
    from bank_authorisation a
    where ${ofShare('a')} and leased_until <= statement_timestamp() and ${isNotPaused}
    order by leased_until limit :limit)`),
);

export const endDueAt = sql()`least(
     ${earliestDue({ at: 'due_at', from: 'bank_authorisation', and: `status <> 'EXCHANGING'` })},
     ${earliestOfEach(`(select min(leased_until) from bank_authorisation
       where ${ofShare()} and leased_until is not null)`)})`;

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

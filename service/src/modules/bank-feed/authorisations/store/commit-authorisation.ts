import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import { sql } from '#platform/database/sql.ts';
import { type Columns, columnNames, columnTypes, statement } from '#platform/database/statement.ts';
import type { AuthorisationStatus, AuthorisationTrigger } from '../authorisation.ts';

/** What a change may set; the rest is kept. */
const changedColumns = {
  institution_id: 'text',
  bank_name: 'text',
  oauth_state: 'text',
  starts: 'int',
  consent_reference: 'text',
  ended_reason: 'text',
  link_expires_at: 'timestamptz',
  reconfirm_by: 'timestamptz',
  due_business_at: 'timestamptz',
  linked_at: 'timestamptz',
  ended_at: 'timestamptz',
} as const satisfies Columns;

const accountColumns = {
  account_id: 'uuid',
  institution_id: 'text',
  bank_name: 'text',
  sort_code: 'text',
  account_number: 'text',
  currency: 'text',
} as const satisfies Columns;

type Values = Tenant & {
  readonly authorisationId: string;
  readonly version: number;
  readonly fromStatus: AuthorisationStatus;
  readonly toStatus: AuthorisationStatus;
  readonly trigger: AuthorisationTrigger;
  readonly detail: string | null;
  readonly now: Date;
  readonly change: string;
  readonly railStateEncrypted: Buffer | null;
  readonly leaseMs: number | null;
  readonly isToBeRead: boolean;
  readonly accessEndsAt: Date | null;
  readonly isEnded: boolean;
  readonly accounts: string;
};

const assignments = Object.keys(changedColumns)
  .map((column) => `${column} = c.${column}`)
  .join(', ');

const accountAssignments = Object.keys(accountColumns)
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/**
 * One transition of an authorisation: state, history, the name under which the bank sends back, and the
 * accounts that it shows, or nothing.
 */
export const commitAuthorisation = statement<Values, { readonly authorisation_id: string }>(
  'bank_authorisation_commit',
  sql(
    'merchantId',
    'environment',
    'authorisationId',
    'version',
    'fromStatus',
    'toStatus',
    'trigger',
    'detail',
    'now',
    'change',
    'railStateEncrypted',
    'leaseMs',
    'isToBeRead',
    'accessEndsAt',
    'isEnded',
    'accounts',
  )`
   with tenant as materialized (select ${clockOffsetSql} as moved),
   change as materialized (
     select * from jsonb_to_record(:change::jsonb) as c (${columnTypes(changedColumns)})),
   won as (
     update bank_authorisation a set status = :toStatus::text, version = a.version + 1,
       ${assignments}, due_at = c.due_business_at - tenant.moved,
       rail_state_encrypted = coalesce(:railStateEncrypted::bytea, a.rail_state_encrypted),
       leased_until = statement_timestamp() + :leaseMs::int * interval '1 millisecond',
       refresh_due_at = case when :toStatus::text = 'LINKED' then
         case when :isToBeRead::boolean then statement_timestamp() else a.refresh_due_at end end,
       access_ends_at = coalesce(:accessEndsAt::timestamptz, a.access_ends_at),
       removal_due_at = case when :isEnded::boolean then statement_timestamp() end,
       forget_due_at = case when :isEnded::boolean
         then statement_timestamp() + ${limits.bankAuthorisationRetentionDays} * interval '1 day' end,
       updated_at = :now::timestamptz
     from change c, tenant
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.authorisation_id = :authorisationId::uuid and a.version = :version::int
       and a.status = :fromStatus::text
     returning a.authorisation_id, a.version, a.oauth_state),
   history as (
     insert into bank_authorisation_history (merchant_id, environment, authorisation_id, version,
       from_status, to_status, trigger, detail, occurred_at)
     select :merchantId, :environment, won.authorisation_id, won.version, :fromStatus::text,
       :toStatus::text, :trigger::text, :detail::text, :now::timestamptz from won),
   directory as (
     insert into public_id (public_id, kind, merchant_id, environment, target_id)
     select won.oauth_state, 'BANK_LINK_STATE', :merchantId, :environment, won.authorisation_id
     from won where :trigger::text = 'bankChosen'),
   given as materialized (
     select g.* from won, jsonb_to_recordset(:accounts::jsonb)
       as g (${columnTypes(accountColumns)}, reference text, position smallint)),
   account as (
     insert into bank_account as b (merchant_id, environment, ${columnNames(accountColumns)},
       created_at)
     select :merchantId, :environment, ${columnNames(accountColumns, 'g')}, :now::timestamptz
     from given g order by g.account_id
     on conflict (merchant_id, environment, account_id) do update set ${accountAssignments},
       is_leaving = false),
   account_directory as (
     insert into public_id (public_id, kind, merchant_id, environment, target_id)
     select g.account_id::text, 'BANK_ACCOUNT', :merchantId, :environment, g.account_id from given g
     on conflict do nothing),
   link as (
     insert into bank_account_link (merchant_id, environment, authorisation_id, account_id,
       bank_account_reference, position)
     select :merchantId, :environment, won.authorisation_id, g.account_id, g.reference, g.position
     from given g, won)
   select authorisation_id from won`,
  { guardedBy: 'version and status as read' },
);

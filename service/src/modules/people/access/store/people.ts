import type { Role } from '@florin/contract/dashboard/index.ts';
import type { Environment } from '#kernel/environment.ts';
import { insertMerchantCtes, type NewMerchantRows } from '#modules/merchants/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type NewPersonRow = {
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly isOperator: boolean;
};

/** No row: another person has the address. */
export const insertPerson = statement<NewPersonRow, { readonly person_id: string }>(
  'person_insert',
  sql('personId', 'name', 'email', 'emailVerified', 'isOperator')`
   insert into person (person_id, name, email, email_verified, is_operator)
   values (:personId, :name, :email, :emailVerified, :isOperator)
   on conflict (email) do nothing returning person_id`,
  { guardedBy: 'the unique address: the second of two inserts nothing' },
);

export const insertPassword = statement<
  { readonly credentialId: string; readonly personId: string; readonly passwordHash: string },
  never
>(
  'person_credential_insert',
  sql('credentialId', 'personId', 'passwordHash')`
   insert into person_credential (credential_id, person_id, provider, account, password_hash)
   values (:credentialId, :personId, 'credential', :personId::uuid::text, :passwordHash)`,
  { guardedBy: 'primary key; one credential of each provider per person' },
);

export const updateOperator = statement<
  { readonly email: string; readonly isOperator: boolean },
  { readonly person_id: string }
>(
  'person_update_operator',
  sql('email', 'isOperator')`
   update person set is_operator = :isOperator, updated_at = clock_timestamp()
   where email = :email
   returning person_id`,
  { guardedBy: 'the unique address; a repeat sets the same' },
);

export const readNames = statement<
  { readonly personIds: readonly string[] },
  { readonly person_id: string; readonly name: string }
>(
  'person_names',
  sql('personIds')`
   select person_id, name from person where person_id = any (:personIds::uuid[])`,
);

export const findPersonByEmail = statement<
  { readonly email: string },
  { readonly person_id: string }
>('person_find_by_email', sql('email')`select person_id from person where email = :email`);

type NewOwnerRows = NewMerchantRows & {
  readonly personId: string;
  readonly credentialId: string;
  readonly name: string;
  readonly email: string;
  readonly passwordHash: string;
};

/** Person, password, merchant and membership, or none of them where another person has the address. */
export const insertOwner = statement<NewOwnerRows, { readonly person_id: string }>(
  'person_insert_owner',
  sql('merchantId', 'personId', 'credentialId', 'name', 'email', 'passwordHash')`
   with person_row as (
     insert into person (person_id, name, email, email_verified, is_operator)
     values (:personId, :name, :email, false, false)
   ), credential_row as (
     insert into person_credential (credential_id, person_id, provider, account, password_hash)
     values (:credentialId, :personId, 'credential', :personId::uuid::text, :passwordHash)
   ), ${insertMerchantCtes}, membership_row as (
     insert into membership (merchant_id, person_id, role, in_production)
     values (:merchantId, :personId, 'owner', false)
   )
   select :personId::uuid as person_id`,
  { guardedBy: 'the unique address: the second of two fails whole' },
);

type MembershipRow = {
  readonly merchant_id: string;
  readonly business_name: string;
  readonly sandbox_ahead_ms: number;
  readonly role: Role;
  readonly in_production: boolean;
  readonly suspensions: readonly SuspensionOfMember[] | null;
};

/** As JSON has it. */
type SuspensionOfMember = {
  readonly environment: Environment;
  readonly reason: string;
  readonly suspendedAt: string;
};

/** The oldest first: the dashboard opens with it. */
export const listMembershipsOf = statement<{ readonly personId: string }, MembershipRow>(
  'membership_list_of_person',
  sql('personId')`
   select m.merchant_id, b.business_name, m.role, m.in_production,
     coalesce((select c.offset_ms from tenant_clock c
       where c.merchant_id = m.merchant_id and c.environment = 'SANDBOX'), 0)::float8
       as sandbox_ahead_ms,
     (select jsonb_agg(jsonb_build_object('environment', s.environment, 'reason', s.reason,
         'suspendedAt', s.suspended_at) order by s.environment desc)
       from merchant_suspension s
       where s.merchant_id = m.merchant_id and s.resumed_at is null) as suspensions
   from membership m join merchant b on b.merchant_id = m.merchant_id
   where m.person_id = :personId order by m.created_at, m.merchant_id`,
);

export const findMembership = statement<
  { readonly merchantId: string; readonly personId: string },
  {
    readonly role: Role;
    readonly in_production: boolean;
    readonly business_in_production: boolean;
  }
>(
  'membership_find',
  sql('merchantId', 'personId')`
   select role, in_production,
     exists (select from membership
       where merchant_id = :merchantId and in_production) as business_in_production
   from membership
   where merchant_id = :merchantId and person_id = :personId`,
);

export type Membership = {
  readonly merchantId: string;
  readonly personId: string;
  readonly role: Role;
  readonly inProduction: boolean;
};

export const insertMembership = statement<Membership, never>(
  'membership_insert',
  sql('merchantId', 'personId', 'role', 'inProduction')`
   insert into membership (merchant_id, person_id, role, in_production)
   values (:merchantId, :personId, :role, :inProduction)
   on conflict (merchant_id, person_id) do nothing`,
  { guardedBy: 'primary key: a repeat changes nothing' },
);

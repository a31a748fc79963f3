import { insertMerchantCtes, type NewMerchantRows } from '#modules/merchants/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const findPersonByEmail = statement<
  { readonly email: string },
  { readonly person_id: string }
>('person_find_by_email', sql('email')`select person_id from person where email = :email`);

export type NewOwnerRows = NewMerchantRows & {
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

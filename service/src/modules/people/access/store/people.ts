import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type NewPersonRow = {
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

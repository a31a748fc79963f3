import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type KeyValues = { readonly purpose: string; readonly keyEncrypted: Buffer };

/** The first program that needs it makes the key; every other one reads it. */
export const insertPurposeKey = statement<KeyValues, never>(
  'purpose_key_insert',
  sql('purpose', 'keyEncrypted')`
   insert into purpose_key (purpose, key_encrypted) values (:purpose, :keyEncrypted)
   on conflict do nothing`,
  { guardedBy: 'primary key (purpose): the first key stays' },
);

export const listPurposeKeys = statement<
  Record<never, never>,
  { readonly purpose: string; readonly key_encrypted: Buffer }
>('purpose_key_list', sql()`select purpose, key_encrypted from purpose_key`, {
  readsWholeTables: true,
});

export const replacePurposeKey = statement<
  KeyValues & { readonly replaced: Buffer },
  { readonly purpose: string }
>(
  'purpose_key_replace',
  sql('purpose', 'keyEncrypted', 'replaced')`
   update purpose_key set key_encrypted = :keyEncrypted
   where purpose = :purpose and key_encrypted = :replaced::bytea
   returning purpose`,
  { guardedBy: 'the record that was read' },
);

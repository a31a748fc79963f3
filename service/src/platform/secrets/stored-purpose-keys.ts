import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '../tools.ts';
import type { SecretContext, Secrets } from './open-secrets.ts';

const purposes = [
  'card-fingerprint',
  'checkout-form',
  'bank-account-id',
  'people',
  'people-links',
  'audit-seal',
  'cells',
] as const;

/**
 * Keys for a purpose are stored, encrypted by the master key, so that they survive its rotation: a saved
 * card is known again, and a form that was opened before is still taken. The first start stores the
 * keys that were derived until then.
 */
export const storedPurposeKeys = async (
  { database }: Uses<'database'>,
  secrets: Secrets,
): Promise<Secrets> => {
  for (const purpose of purposes) {
    const keyEncrypted = secrets.encrypt(secrets.keyFor(purpose), purposeKeyContext(purpose));
    await database.system(insertPurposeKey, { purpose, keyEncrypted });
  }
  const rows = await database.system(listPurposeKeys, {});
  const keys = new Map(
    rows.map((row) => [
      row.purpose,
      secrets.decrypt(row.key_encrypted, purposeKeyContext(row.purpose)),
    ]),
  );
  const keyFor = (purpose: string): Buffer => {
    const key = keys.get(purpose);
    if (!key) throw new Error(`no key is stored for ${purpose}`);
    return key;
  };
  return { ...secrets, keyFor };
};

/** For a new master key. Answers how many it found under another one. */
export const reencryptPurposeKeys = async ({
  database,
  secrets,
}: Uses<'database' | 'secrets'>): Promise<number> => {
  const rows = await database.system(listPurposeKeys, {});
  const old = rows.filter(({ key_encrypted: record }) => !secrets.isNewest(record));
  for (const { purpose, key_encrypted: replaced } of old) {
    const key = secrets.decrypt(replaced, purposeKeyContext(purpose));
    const keyEncrypted = secrets.encrypt(key, purposeKeyContext(purpose));
    await database.system(replacePurposeKey, { purpose, keyEncrypted, replaced });
  }
  return old.length;
};

export const purposeKeyContext = (purpose: string): SecretContext => ({
  table: 'purpose_key',
  row: purpose,
  column: 'key_encrypted',
});

type KeyValues = { readonly purpose: string; readonly keyEncrypted: Buffer };

/** The first program that needs it makes the key; every other one reads it. */
const insertPurposeKey = statement<KeyValues, never>(
  'purpose_key_insert',
  sql('purpose', 'keyEncrypted')`
   insert into purpose_key (purpose, key_encrypted) values (:purpose, :keyEncrypted)
   on conflict do nothing`,
  { guardedBy: 'primary key (purpose): the first key stays' },
);

const listPurposeKeys = statement<
  Record<never, never>,
  { readonly purpose: string; readonly key_encrypted: Buffer }
>('purpose_key_list', sql()`select purpose, key_encrypted from purpose_key`, {
  readsWholeTables: true,
});

const replacePurposeKey = statement<
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

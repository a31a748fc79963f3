import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Key = { readonly merchantId: string; readonly environment: string };
type AccountKey = Key & { readonly accountKey: string };
type Keys = {
  readonly publishableKey: string | null;
  readonly secretKeyEncrypted: Buffer;
  readonly webhookSecretEncrypted: Buffer;
};

export type CardAccountRow = {
  readonly account_key: string;
  readonly secret_key_encrypted: Buffer;
  readonly webhook_secret_encrypted: Buffer;
  readonly publishable_key: string | null;
  /** Null: it was never in use here, its keys are there for open work. */
  readonly chosen_at: Date | null;
};

/** The account in use first: the one that was chosen last. */
export const listCardAccounts = statement<Key, CardAccountRow>(
  'card_account_list',
  sql('merchantId', 'environment')`
   select account_key, secret_key_encrypted, webhook_secret_encrypted, publishable_key, chosen_at
   from card_account
   where merchant_id = :merchantId and environment = :environment
   order by chosen_at desc nulls last, account_key`,
);

/** Of every merchant: for what is asked of all accounts. */
export const listTenantsWithAccounts = statement<
  object,
  { readonly merchant_id: string; readonly environment: Environment }
>('card_account_tenants', sql()`select distinct merchant_id, environment from card_account`, {
  readsWholeTables: true,
});

const insertValues = sql(
  'environment',
  'accountKey',
  'secretKeyEncrypted',
  'webhookSecretEncrypted',
  'publishableKey',
)`m.merchant_id, :environment, :accountKey, :secretKeyEncrypted, :webhookSecretEncrypted,
     :publishableKey`;
const setKeys = `secret_key_encrypted = excluded.secret_key_encrypted,
       webhook_secret_encrypted = excluded.webhook_secret_encrypted,
       publishable_key = excluded.publishable_key,
       updated_at = clock_timestamp()`;

/** Later than every other, also when the clock of the database went back. */
export const chooseCardAccount = statement<AccountKey & Keys, { readonly merchant_id: string }>(
  'card_account_choose',
  sql('merchantId', 'environment')`
   insert into card_account (merchant_id, environment, account_key, secret_key_encrypted,
     webhook_secret_encrypted, publishable_key, chosen_at)
   select ${insertValues},
     greatest(clock_timestamp(), (select max(c.chosen_at) + interval '1 microsecond'
       from card_account c
       where c.merchant_id = :merchantId and c.environment = :environment))
   from merchant m where m.merchant_id = :merchantId
   on conflict (merchant_id, environment, account_key) do update
     set ${setKeys}, chosen_at = excluded.chosen_at
   returning merchant_id`,
  { guardedBy: 'primary key (merchant, environment, account): the later choice is in use' },
);

export const saveCardAccountKeys = statement<AccountKey & Keys, { readonly merchant_id: string }>(
  'card_account_save_keys',
  sql('merchantId')`
   insert into card_account (merchant_id, environment, account_key, secret_key_encrypted,
     webhook_secret_encrypted, publishable_key)
   select ${insertValues} from merchant m where m.merchant_id = :merchantId
   on conflict (merchant_id, environment, account_key) do update set ${setKeys}
   returning merchant_id`,
  { guardedBy: 'primary key (merchant, environment, account): the later write wins' },
);

/** No row: it is in use, or its keys are not here. */
export const deleteFormerAccount = statement<AccountKey, { readonly account_key: string }>(
  'card_account_delete_former',
  sql('merchantId', 'environment', 'accountKey')`
   delete from card_account
   where merchant_id = :merchantId and environment = :environment and account_key = :accountKey
     and account_key is distinct from (select c.account_key from card_account c
       where c.merchant_id = :merchantId and c.environment = :environment
         and c.chosen_at is not null
       order by c.chosen_at desc, c.account_key limit 1)
   returning account_key`,
  { guardedBy: 'the account in use is never deleted' },
);

import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Key = { readonly merchantId: string; readonly environment: string };

export type CardAccountRow = {
  readonly account_key: string;
  readonly secret_key_encrypted: Buffer;
  readonly webhook_secret_encrypted: Buffer;
};

export const findCardAccount = statement<Key, CardAccountRow>(
  'card_account_find',
  sql('merchantId', 'environment')`
   select account_key, secret_key_encrypted, webhook_secret_encrypted from card_account
   where merchant_id = :merchantId and environment = :environment`,
);

export const saveCardAccount = statement<
  Key & {
    readonly accountKey: string;
    readonly secretKeyEncrypted: Buffer;
    readonly webhookSecretEncrypted: Buffer;
  },
  { readonly merchant_id: string }
>(
  'card_account_save',
  sql('environment', 'accountKey', 'secretKeyEncrypted', 'webhookSecretEncrypted', 'merchantId')`
   insert into card_account (merchant_id, environment, account_key, secret_key_encrypted,
     webhook_secret_encrypted)
   select m.merchant_id, :environment, :accountKey, :secretKeyEncrypted, :webhookSecretEncrypted
   from merchant m where m.merchant_id = :merchantId
   on conflict (merchant_id, environment) do update
     set account_key = excluded.account_key,
       secret_key_encrypted = excluded.secret_key_encrypted,
       webhook_secret_encrypted = excluded.webhook_secret_encrypted,
       updated_at = clock_timestamp()
   returning merchant_id`,
  { guardedBy: 'primary key (merchant, environment): the later write wins' },
);

import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Key = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly customerId: string;
  readonly accountKey: string;
};

export type ProcessorCustomerRow = {
  readonly customer_id: string;
  readonly full_name: string;
  readonly email: string | null;
  /** Null: the processor does not know this customer yet. */
  readonly reference_encrypted: Buffer | null;
};

/** No row: no such customer. */
export const readProcessorCustomer = statement<Key, ProcessorCustomerRow>(
  'card_customer_read',
  sql('merchantId', 'environment', 'accountKey', 'customerId')`
   select c.customer_id, c.full_name, c.email, p.reference_encrypted from customer c
   left join card_customer p on p.merchant_id = :merchantId and p.environment = :environment
     and p.customer_id = c.customer_id and p.account_key = :accountKey
   where c.merchant_id = :merchantId and c.environment = :environment
     and c.customer_id = :customerId`,
);

/** The first one is kept: a later caller reads it. A deleted customer gets none. */
export const insertProcessorCustomer = statement<
  Key & { readonly referenceEncrypted: Buffer },
  { readonly customer_id: string }
>(
  'card_customer_insert',
  sql('merchantId', 'environment', 'customerId', 'accountKey', 'referenceEncrypted')`
   with owner as materialized (
     select c.customer_id from customer c
     where c.merchant_id = :merchantId and c.environment = :environment
       and c.customer_id = :customerId
     for key share)
   insert into card_customer (merchant_id, environment, customer_id, account_key,
     reference_encrypted)
   select :merchantId, :environment, owner.customer_id, :accountKey, :referenceEncrypted
   from owner
   on conflict (merchant_id, environment, customer_id, account_key) do nothing
   returning customer_id`,
  { guardedBy: 'primary key: the first reference stays; key share lock on the customer' },
);

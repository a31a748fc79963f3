import type { Environment } from '#kernel/environment.ts';
import { removeCustomerSql } from '#modules/customers/index.ts';
import type { BatchStatement, Scope } from '#platform/database/batch-statement.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { CardFacts, RecurrenceType } from '#rails/card-rail.ts';

type CustomerKey = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly customerId: string;
};

export type CardRow = {
  readonly card_id: string;
  readonly customer_id: string;
  readonly account_key: string;
  readonly reference_id: string;
  readonly reference_encrypted: Buffer;
  readonly cardholder_name: string | null;
  readonly brand: string;
  readonly funding: CardFacts['funding'];
  readonly category: CardFacts['category'];
  readonly country: string | null;
  readonly last_four: string;
  readonly expiry: string;
  readonly recurrence_type: RecurrenceType;
  readonly network_transaction_id: string | null;
};

/** Columns beside a customer: none, or a card. */
export type Joined<Row> = Row | { readonly card_id: null };

const columns = `k.card_id, k.customer_id, k.account_key, k.reference_id, k.reference_encrypted,
  k.cardholder_name, k.brand, k.funding, k.category, k.country, k.last_four, k.expiry,
  k.recurrence_type, k.network_transaction_id`;

const cardOfCustomer = sql('merchantId', 'environment')`
   k.merchant_id = :merchantId and k.environment = :environment
  and k.customer_id = c.customer_id`;

/** No row: no such customer. */
export const listCardRows = statement<CustomerKey, Joined<CardRow>>(
  'card_list',
  sql('merchantId', 'environment', 'customerId')`
   select ${columns} from customer c
   left join card k on ${cardOfCustomer} and k.deleted_at is null
   where c.merchant_id = :merchantId and c.environment = :environment
     and c.customer_id = :customerId
   order by k.created_at desc, k.card_id`,
);

type FoundCard =
  | (CardRow & {
      readonly deleted_at: null;
      readonly customer_reference_encrypted: Buffer;
    })
  | { readonly card_id: string; readonly deleted_at: Date };

type Requested = { readonly customerIds: readonly string[]; readonly cardIds: readonly string[] };

const findCardRow = statement<Requested & Scope, Joined<FoundCard> & { readonly item: number }>(
  'card_find',
  sql('customerIds', 'cardIds', 'merchantId', 'environment')`
   select (wanted.ordinality - 1)::int as item, ${columns}, k.deleted_at,
     p.reference_encrypted as customer_reference_encrypted
   from unnest(:customerIds::uuid[], :cardIds::uuid[])
     with ordinality as wanted (customer_id, card_id)
   join customer c on c.merchant_id = :merchantId and c.environment = :environment
     and c.customer_id = any (:customerIds::uuid[]) and c.customer_id = wanted.customer_id
   left join card k on ${cardOfCustomer} and k.card_id = any (:cardIds::uuid[])
     and k.card_id = wanted.card_id
   left join card_customer p on p.merchant_id = :merchantId and p.environment = :environment
     and p.customer_id = any (:customerIds::uuid[]) and p.customer_id = c.customer_id
     and p.account_key = k.account_key`,
);

type RequestedCard = { readonly customerId: string; readonly cardId: string };

/** No row: no such customer. A deleted card is found as such. */
export const findingCardRow: BatchStatement<RequestedCard, Requested, Joined<FoundCard>> = {
  statement: findCardRow,
  valuesOf: (requested) => ({
    customerIds: requested.map(({ customerId }) => customerId),
    cardIds: requested.map(({ cardId }) => cardId),
  }),
  keysOf: () => [],
};

export const isLiveCardRow = statement<
  Omit<CustomerKey, 'customerId'> & { readonly cardId: string },
  { readonly card_id: string }
>(
  'card_is_live',
  sql('merchantId', 'environment', 'cardId')`
   select card_id from card
   where merchant_id = :merchantId and environment = :environment and card_id = :cardId
     and deleted_at is null`,
);

/** Of a list, those that are not deleted. Who deletes one waits until the charge of it is written. */
export const liveCardsCte = sql('merchantId', 'environment', 'cardIds')`
  live_card as materialized (
    select k.card_id from card k
    where k.merchant_id = :merchantId and k.environment = :environment
      and k.card_id = any (:cardIds::uuid[]) and k.deleted_at is null
    order by k.card_id for key share)`;

/** Of any customer, also a deleted one: only that this id is a card's. */
export const hasCardRow = statement<
  Omit<CustomerKey, 'customerId'> & { readonly cardId: string },
  { readonly card_id: string }
>(
  'card_has',
  sql('merchantId', 'environment', 'cardId')`
   select card_id from card
   where merchant_id = :merchantId and environment = :environment and card_id = :cardId`,
);

type DeletedCustomer = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly customerId: string;
};

// Earlier authorisations may still be captured: by then all of them have ended.
const customerLivesDays = 31;

const detachmentOf = (gone: string, reason: 'DELETED' | 'CUSTOMER_DELETED') => sql(
  'merchantId',
  'environment',
)`
  insert into card_detachment (merchant_id, environment, reference_id, customer_id, account_key,
    reference_encrypted, reason)
  select :merchantId, :environment, ${gone}.reference_id, ${gone}.customer_id,
    ${gone}.account_key, ${gone}.reference_encrypted, '${reason}'
  from ${gone} where ${gone}.reference_encrypted is not null`;

/** The row is kept without what could be charged, so that charging it gets a clear failure. */
export const deleteCardRow = statement<
  DeletedCustomer & { readonly cardId: string },
  { readonly card_id: string }
>(
  'card_delete',
  sql('merchantId', 'environment', 'customerId', 'cardId')`
   with known as materialized (
     select merchant_id, environment, card_id, reference_id, customer_id, account_key,
       reference_encrypted
     from card
     where merchant_id = :merchantId and environment = :environment
       and customer_id = :customerId and card_id = :cardId and deleted_at is null
     for update),
   gone as (
     update card c set reference_encrypted = null, cardholder_name = null,
       deleted_at = business_now(:merchantId, :environment),
       updated_at = business_now(:merchantId, :environment)
     from known k
     where c.merchant_id = k.merchant_id and c.environment = k.environment
       and c.card_id = k.card_id
     returning k.card_id, k.reference_id, k.customer_id, k.account_key, k.reference_encrypted),
   detached as (${detachmentOf('gone', 'DELETED')})
   select card_id from gone`,
  {
    guardedBy:
      'deleted_at is null, of the locked row: a card is deleted, and its detachment queued, once',
  },
);

/**
 * Deletes the customer with all cards, here and at the processor, or nothing. A card that is being
 * saved concurrently is waited for and not seen: its foreign key fails the delete, which is then
 * run again.
 */
export const deleteCustomerRow = statement<DeletedCustomer, { readonly customer_id: string }>(
  'card_delete_customer',
  sql('merchantId', 'environment', 'customerId')`
   with gone as (
     delete from card
     where merchant_id = :merchantId and environment = :environment
       and customer_id = :customerId
     returning reference_id, customer_id, account_key, reference_encrypted),
   detached as (${detachmentOf('gone', 'CUSTOMER_DELETED')}),
   forgotten as (
     delete from card_customer
     where merchant_id = :merchantId and environment = :environment
       and customer_id = :customerId
     returning customer_id, account_key, reference_encrypted),
   detached_customer as (
     insert into card_detachment (merchant_id, environment, kind, reference_id, customer_id,
       account_key, reference_encrypted, reason, due_at)
     select :merchantId, :environment, 'CUSTOMER', gen_random_uuid(), customer_id, account_key,
       reference_encrypted, 'CUSTOMER_DELETED',
       clock_timestamp() + ${customerLivesDays} * interval '1 day'
     from forgotten)
   ${removeCustomerSql}`,
  { guardedBy: 'foreign keys refuse while a card is being saved; the caller runs it again' },
);

type Key = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly customerId: string;
  readonly accountKey: string;
};

type ProcessorCustomerRow = {
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

import type { Environment } from '#kernel/environment.ts';
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

export type FoundCard =
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

import type { listStores, ReplyOf } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { type Part, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type StoreRow = {
  readonly store_id: string;
  readonly location_name: string;
  readonly address_line_1: string;
  readonly address_line_2: string;
  readonly postal_code: string;
  readonly city: string;
  readonly image_url: string | null;
};

type ListedStore = RowOf<ReplyOf<typeof listStores>['data'][number], 'createdAt' | 'updatedAt'>;

/** One row more than there are stores, so that an empty page still has the total. */
export const listStoreRows = statement<
  Tenant & { readonly limit: number; readonly skipped: number },
  { readonly total: bigint } & (ListedStore | { readonly id: null })
>(
  'store_list',
  sql('merchantId', 'environment', 'limit', 'skipped')`
   select n.total, s.* from
     (select count(*) as total from store
      where merchant_id = :merchantId and environment = :environment) n
   left join lateral (
      select s.store_id as id, s.location_name, s.address_line_1 as address_line1,
        s.address_line_2 as address_line2, s.postal_code as address_postal_code,
        s.city as city_or_town, s.is_primary as "primary", s.is_enabled as enabled,
        array_remove(array[s.image_url], null) as images, s.created_at, s.updated_at
      from store s
      where s.merchant_id = :merchantId and s.environment = :environment
      order by s.created_at desc, s.store_id limit :limit offset :skipped) s on true`,
);

/**
 * The store that a payment names, or the primary one: no row when it is unknown or disabled. A
 * condition on `store s`, in a statement with :merchantId and :environment.
 */
export const chosenStoreSql = <const Id extends Part>(storeId: Id) =>
  sql('merchantId', 'environment')`
   s.merchant_id = :merchantId and s.environment = :environment
  and s.is_enabled and (s.store_id = ${storeId} or ${storeId} is null and s.is_primary)`;

export type PayeeRow = StoreRow & {
  readonly payouts_enabled: boolean;
  readonly is_placeholder: boolean | null;
  readonly sort_code: string | null;
  readonly account_number: string | null;
  readonly account_name: string | null;
  readonly collecting_sort_code: string | null;
  readonly collecting_account_number: string | null;
  readonly collecting_account_name: string | null;
};

/** The chosen store has the account that a sign-up put there: nothing may be paid to it. */
export const isPlaceholderSql = <const Id extends Part>(storeId: Id) =>
  sql('merchantId', 'environment')`
   exists (select from store s
     join store_bank_account a on a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = s.store_id
     where ${chosenStoreSql(storeId)} and a.is_placeholder)`;

/** Of a payment that was requested already, also where its store has been archived since. */
export const findPayee = statement<
  Tenant & { readonly storeId: string | null; readonly isRequested: boolean },
  PayeeRow
>(
  'store_payee',
  sql('merchantId', 'environment', 'storeId', 'isRequested')`
   select s.store_id, s.location_name, s.address_line_1, s.address_line_2, s.postal_code, s.city,
     s.image_url, w.payouts_enabled, a.sort_code, a.account_number, a.account_name,
     a.is_placeholder, c.sort_code as collecting_sort_code, c.account_number as collecting_account_number,
     c.account_name as collecting_account_name
   from store s
   join merchant_switch w on w.merchant_id = s.merchant_id and w.environment = s.environment
   left join store_bank_account a on a.merchant_id = s.merchant_id
     and a.environment = s.environment and a.store_id = s.store_id
   left join collecting_account c on c.environment = s.environment
   where s.merchant_id = :merchantId and s.environment = :environment
     and (s.is_enabled or :isRequested::boolean)
     and (s.store_id = :storeId::uuid or :storeId::uuid is null and s.is_primary)`,
);

export type AccountValues = {
  readonly sortCode: string;
  readonly accountNumber: string;
  readonly accountName: string;
};

export const insertStoreRow = statement<
  Tenant &
    AccountValues & {
      readonly storeId: string;
      readonly locationName: string;
      readonly addressLine1: string;
      readonly addressLine2: string;
      readonly postalCode: string;
      readonly city: string;
    },
  { store_id: string }
>(
  'store_insert',
  sql(
    'merchantId',
    'environment',
    'storeId',
    'locationName',
    'addressLine1',
    'addressLine2',
    'postalCode',
    'city',
    'sortCode',
    'accountNumber',
    'accountName',
  )`
   with store_row as (
     insert into store (merchant_id, environment, store_id, location_name, address_line_1,
       address_line_2, postal_code, city, created_at, updated_at)
     select :merchantId, :environment, :storeId, :locationName, :addressLine1, :addressLine2,
       :postalCode, :city, t.instant, t.instant
     from (select business_now(:merchantId, :environment) as instant) t
     returning store_id
   ), account_row as (
     insert into store_bank_account
       (merchant_id, environment, store_id, sort_code, account_number, account_name)
     values (:merchantId, :environment, :storeId, :sortCode, :accountNumber, :accountName)
   )
   select store_id from store_row`,
  { guardedBy: 'primary key and the unique index of the one primary store' },
);

export const upsertCollectingAccount = statement<
  AccountValues & { readonly environment: Environment },
  never
>(
  'collecting_account_upsert',
  sql('environment', 'sortCode', 'accountNumber', 'accountName')`
   insert into collecting_account (environment, sort_code, account_number, account_name)
   values (:environment, :sortCode, :accountNumber, :accountName)
   on conflict (environment) do update set sort_code = excluded.sort_code,
     account_number = excluded.account_number, account_name = excluded.account_name`,
  { guardedBy: 'primary key (environment): the later write wins' },
);

import type { ReplyOf } from '@florin/contract';
import type { listOwnStores } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type OwnStore = ReplyOf<typeof listOwnStores>['data'][number];

export type OwnStoreRow = RowOf<Omit<OwnStore, 'bankAccount'>, 'createdAt'> & {
  readonly sort_code: string;
  readonly account_number: string;
  readonly account_name: string;
  readonly changed_at: Date | null;
  readonly person_name: string | null;
};

/** One row more than there are stores, so that an empty page still has the total. */
export const listOwnStoreRows = statement<
  Tenant & { readonly limit: number; readonly skipped: number },
  { total: bigint } & (OwnStoreRow | { readonly store_id: null })
>(
  'store_list_own',
  sql('merchantId', 'environment', 'limit', 'skipped')`
   select n.total, s.* from
     (select count(*) as total from store
      where merchant_id = :merchantId and environment = :environment) n
   left join lateral (
     select s.store_id, s.location_name, s.address_line_1 as address_line1,
       s.address_line_2 as address_line2, s.postal_code, s.city, s.is_primary, s.is_enabled,
       s.created_at, a.sort_code, a.account_number, a.account_name, c.changed_at, c.person_name
     from store s
     join store_bank_account a on a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = s.store_id
     left join lateral (select h.changed_at, h.person_name from store_account_change h
       where h.merchant_id = :merchantId and h.environment = :environment
         and h.store_id = s.store_id order by h.changed_at desc limit 1) c on true
     where s.merchant_id = :merchantId and s.environment = :environment
     order by s.created_at desc, s.store_id limit :limit offset :skipped) s on true`,
);

type Address = {
  readonly addressLine1: string | null;
  readonly addressLine2: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
};

/** With a copy of the primary store's account. No row: there are as many stores as there may be. */
export const insertOwnStore = statement<
  Tenant &
    Address & { readonly storeId: string; readonly locationName: string; readonly max: number },
  { readonly store_id: string }
>(
  'store_insert_own',
  sql(
    'merchantId',
    'environment',
    'storeId',
    'locationName',
    'addressLine1',
    'addressLine2',
    'postalCode',
    'city',
    'max',
  )`
   with primary_account as (
     select a.sort_code, a.account_number, a.account_name, a.is_placeholder from store s
     join store_bank_account a on a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = s.store_id
     where s.merchant_id = :merchantId and s.environment = :environment and s.is_primary),
   made as (
     insert into store (merchant_id, environment, store_id, location_name, address_line_1,
       address_line_2, postal_code, city, created_at, updated_at)
     select :merchantId, :environment, :storeId::uuid, :locationName,
       coalesce(:addressLine1::text, ''), coalesce(:addressLine2::text, ''),
       coalesce(:postalCode::text, ''), coalesce(:city::text, ''), t.instant, t.instant
     from (select business_now(:merchantId, :environment) as instant) t, primary_account
     where :max::int > (select count(*) from store
       where merchant_id = :merchantId and environment = :environment)
     on conflict (merchant_id, environment, store_id) do nothing
     returning store_id),
   account as (
     insert into store_bank_account
       (merchant_id, environment, store_id, sort_code, account_number, account_name, is_placeholder)
     select :merchantId, :environment, made.store_id, p.sort_code, p.account_number, p.account_name,
       p.is_placeholder
     from made, primary_account p)
   select store_id from made
   union select store_id from store where merchant_id = :merchantId
     and environment = :environment and store_id = :storeId::uuid`,
  { guardedBy: 'primary key: under the id that was decided first, a repeat makes no second store' },
);

/** What is null stays. No row: there is no such store. */
export const updateStore = statement<
  Tenant &
    Address & {
      readonly storeId: string;
      readonly locationName: string | null;
      readonly isEnabled: boolean | null;
    },
  { readonly is_changed: boolean }
>(
  'store_update',
  sql(
    'merchantId',
    'environment',
    'storeId',
    'locationName',
    'addressLine1',
    'addressLine2',
    'postalCode',
    'city',
    'isEnabled',
  )`
   with changed as (
     update store set location_name = coalesce(:locationName::text, location_name),
       address_line_1 = coalesce(:addressLine1::text, address_line_1),
       address_line_2 = coalesce(:addressLine2::text, address_line_2),
       postal_code = coalesce(:postalCode::text, postal_code),
       city = coalesce(:city::text, city),
       is_enabled = coalesce(:isEnabled::boolean, is_enabled),
       updated_at = business_now(:merchantId, :environment)
     where merchant_id = :merchantId and environment = :environment
       and store_id = :storeId::uuid and (coalesce(:isEnabled::boolean, true) or not is_primary)
     returning store_id)
   select exists (select from changed) as is_changed from store
   where merchant_id = :merchantId and environment = :environment and store_id = :storeId::uuid`,
  { guardedBy: 'one row; the primary store is never archived, which its own row says' },
);

/**
 * Changes the bank account of a store and records the previous one and the person: part of a statement
 * that begins with `may_change`, which has a row if it may be changed now, and goes on from
 * `account_changed`, which has one if anything changed.
 */
export const changeAccountCtes = sql(
  'merchantId',
  'environment',
  'storeId',
  'changeId',
  'personId',
  'personName',
  'sortCode',
  'accountNumber',
  'accountName',
)`
   account_before as materialized (
     select sort_code, account_number, account_name from store_bank_account
     where merchant_id = :merchantId and environment = :environment
       and store_id = :storeId::uuid and exists (select from may_change) for update),
   account_changed as (
     update store_bank_account a set sort_code = :sortCode, account_number = :accountNumber,
       account_name = :accountName, is_placeholder = false, updated_at = clock_timestamp()
     from account_before b
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = :storeId::uuid and (b.sort_code, b.account_number, b.account_name)
         is distinct from (:sortCode::char(6), :accountNumber::char(8), :accountName::text)
     returning a.store_id, b.sort_code, b.account_number, b.account_name),
   account_recorded as (
     insert into store_account_change (merchant_id, environment, store_id, change_id, person_id,
       person_name, old_sort_code, old_account_number, old_account_name, sort_code,
       account_number, account_name)
     select :merchantId, :environment, c.store_id, :changeId::uuid, :personId::uuid, :personName,
       c.sort_code, c.account_number, c.account_name, :sortCode, :accountNumber, :accountName
     from account_changed c)`;

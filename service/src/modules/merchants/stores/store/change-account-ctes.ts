import { sql } from '#platform/database/sql.ts';

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

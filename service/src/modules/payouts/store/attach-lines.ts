import type { Environment, Tenant } from '#kernel/environment.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import { isUnattachedSql } from '#modules/transfers/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { tenantsFromAnywhere } from '#platform/database/tenants-from-anywhere.ts';
import { countPayoutsCtes } from './count-ctes.ts';
import { feeCtes } from './fee-ctes.ts';

export type DueTenant = { readonly merchant_id: string; readonly environment: Environment };

/**
 * Merchants with money in the payable balance that is in no payout yet. The switch of payouts decides where
 * new payments go: what is payable is paid out in any case.
 */
export const findTenantsWithLines = statement<
  { readonly from: string; readonly limit: number },
  DueTenant
>(
  'payout_tenants_with_lines',
  tenantsFromAnywhere(`(
     exists (select from ledger_entry e where e.merchant_id = w.merchant_id
       and e.environment = w.environment and e.account = 'MERCHANT_PAYABLE'
       and e.written_in >= coalesce((select c.up_to_written_in from payout_cursor c
         where c.merchant_id = w.merchant_id and c.environment = w.environment), '0'::xid8)
       and e.reason not like 'PAYOUT%'
       and not exists (select from payout_line l where l.merchant_id = e.merchant_id
         and l.environment = e.environment and l.entry_id = e.entry_id))
     or exists (select from payout_line l where l.merchant_id = w.merchant_id
       and l.environment = w.environment and l.state = 'RELEASED'))`),
);

export type Attached = { readonly lines: number };

type Values = Tenant & { readonly turnVersion: number; readonly periodEndsAt: Date };

/**
 * Adds every entry of the payable balance to the open payout of its store's bank account, opening
 * one if needed. The cursor moves only if nothing was left behind.
 */
export const attachLines = statement<Values, Attached>(
  'payout_attach_lines',
  sql('merchantId', 'environment', 'turnVersion', 'periodEndsAt')`
   with tenant as materialized (
     select date_trunc('milliseconds', clock_timestamp()) + c.moved as now, c.moved
     from (select ${clockOffsetSql} as moved) c),
   horizon as materialized (select written_horizon() as up_to),
   turn as (
     update outgoing_turn set version = version + 1
     where merchant_id = :merchantId and environment = :environment
       and version = :turnVersion::int returning version),
   fresh as materialized (
     select e.entry_id, -e.amount_pence as amount_pence, e.reason, e.resource_id, e.attempt_id,
       e.store_id, e.occurred_at, e.written_in
     from ledger_entry e, turn
     where ${isUnattachedSql}),
   ${feeCtes},
   released as (
     update payout_line l set state = 'MOVED' from turn
     where l.merchant_id = :merchantId and l.environment = :environment and l.state = 'RELEASED'
     returning l.entry_id, l.amount_pence, l.reason, l.resource_id, l.attempt_id, l.store_id,
       l.occurred_at),
   placed as materialized (
     select f.*, a.sort_code, a.account_number, a.account_name
     from (select entry_id, amount_pence, reason, resource_id, attempt_id, store_id, occurred_at
         from fresh union all select * from fee_line union all select * from released) f
     join store_bank_account a on a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = f.store_id),
   sums as (
     select sort_code, account_number, max(account_name) as account_name,
       sum(amount_pence) as amount_pence, count(*) as line_count, gen_random_uuid() as payout_id
     from placed group by sort_code, account_number),
   open as (
     insert into payout as p (merchant_id, environment, payout_id, status, reference, sort_code,
       account_number, account_name, amount_pence, line_count, period_ends_business_at, due_at,
       created_at, updated_at)
     select :merchantId, :environment, s.payout_id, 'PENDING',
       'FPY' || upper(left(replace(s.payout_id::text, '-', ''), 11)), s.sort_code,
       s.account_number, s.account_name, s.amount_pence, s.line_count, :periodEndsAt::timestamptz,
       :periodEndsAt::timestamptz - tenant.moved, tenant.now, tenant.now
     from sums s, tenant
     on conflict (merchant_id, environment, sort_code, account_number) where status = 'PENDING'
     do update set amount_pence = p.amount_pence + excluded.amount_pence,
       line_count = p.line_count + excluded.line_count, version = p.version + 1,
       updated_at = excluded.updated_at
     returning p.payout_id, p.sort_code, p.account_number, p.version, p.created_at, p.updated_at),
   opening as (select created_at, 'PENDING' as status, 1 as change from open where version = 1),
   ${countPayoutsCtes('opening')},
   opened as (
     insert into payout_history (merchant_id, environment, payout_id, version, to_status, trigger,
       occurred_at)
     select :merchantId, :environment, open.payout_id, 1, 'PENDING', 'opened', open.updated_at
     from open where open.version = 1),
   directory as (
     insert into public_id (public_id, kind, merchant_id, environment, target_id)
     select open.payout_id::text, 'PAYOUT', :merchantId, :environment, open.payout_id
     from open where open.version = 1),
   line as (
     insert into payout_line (merchant_id, environment, payout_id, entry_id, amount_pence, reason,
       resource_id, attempt_id, store_id, occurred_at)
     select :merchantId, :environment, open.payout_id, p.entry_id, p.amount_pence, p.reason,
       p.resource_id, p.attempt_id, p.store_id, p.occurred_at
     from placed p join open on open.sort_code = p.sort_code
       and open.account_number = p.account_number
     returning 1),
   cursor_moved as (
     insert into payout_cursor as c (merchant_id, environment, up_to_written_in)
     select :merchantId, :environment, horizon.up_to from horizon, turn
     where not exists (select from fresh where fresh.entry_id not in (select entry_id from placed))
     on conflict (merchant_id, environment) do update
       set up_to_written_in = greatest(c.up_to_written_in, excluded.up_to_written_in))
   select count(*)::int as lines from line`,
  {
    guardedBy:
      'the version of the turn of outgoing money; unique entry among current lines; unique open ' +
      'payout of an account',
  },
);

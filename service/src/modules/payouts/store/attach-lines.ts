import type { Environment, Tenant } from '#kernel/environment.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import { isUnattachedSql, openPayoutSql } from '#modules/transfers/index.ts';
import { tenantsFromAnywhere } from '#platform/database/earliest-due.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff } from '#platform/database/stuck-rows.ts';

/**
 * The fees of the payments in `fresh`, booked by the statement that puts both into a payout, by the
 * merchant's rule of that moment (PAYOUT-5). The fee of a reversed payment is returned; a payment
 * that was settled and reversed before this payout is charged none.
 */
const feeCtes = sql('merchantId', 'environment')`
   fee as materialized (
     select f.resource_id, f.attempt_id, f.store_id, tenant.now as occurred_at,
       gen_random_uuid() as transaction_id, 'FEE_CHARGED' as reason,
       fee_pence(f.amount_pence, w.fee_fixed_pence, w.fee_basis_points) as pence
     from fresh f
     join store_bank_account a on a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = f.store_id
     join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
     cross join tenant
     where f.reason = 'PAYMENT_SETTLED'
       and fee_pence(f.amount_pence, w.fee_fixed_pence, w.fee_basis_points) > 0
       and not exists (select from fresh back where back.attempt_id = f.attempt_id
         and back.reason = 'PAYMENT_REVERSED')
     union all
     select f.resource_id, f.attempt_id, f.store_id, tenant.now, gen_random_uuid(),
       'FEE_RETURNED', charged.pence
     from fresh f
     join store_bank_account a on a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = f.store_id
     cross join tenant
     cross join lateral (
       select sum(e.amount_pence)::bigint as pence from ledger_entry e
       where e.merchant_id = :merchantId and e.environment = :environment
         and e.resource_id = f.resource_id and e.attempt_id = f.attempt_id
         and e.account = 'FEES') charged
     where f.reason = 'PAYMENT_REVERSED' and charged.pence <> 0),
   fee_entry as (
     insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence,
       reason, resource_id, attempt_id, store_id, occurred_at)
     select :merchantId, :environment, fee.transaction_id, side.account, side.sign * fee.pence,
       fee.reason, fee.resource_id, fee.attempt_id, fee.store_id, fee.occurred_at
     from fee, (values ('MERCHANT_PAYABLE', 1), ('FEES', -1)) as side (account, sign)
     returning entry_id, account, amount_pence, reason, resource_id, attempt_id, store_id,
       occurred_at),
   fee_line as (
     select entry_id, -amount_pence as amount_pence, reason, resource_id, attempt_id, store_id,
       occurred_at
     from fee_entry where account = 'MERCHANT_PAYABLE')`;

/**
 * Counts the payouts that a statement opens or moves. `moves` names a common table expression with
 * `created_at`, `status` and `change`: one less in the status that a payout leaves, one more in that
 * which it enters. Written in the order of the key, so that two statements cannot block each other.
 */
export const countPayoutsCtes = (moves: string) => sql('merchantId', 'environment')`
  counted as (
    insert into payout_count as n (merchant_id, environment, created_on, status, payouts)
    select :merchantId, :environment, (m.created_at at time zone 'Europe/London')::date as created_on,
      m.status, sum(m.change)
    from ${moves} m group by created_on, m.status order by created_on, m.status
    on conflict (merchant_id, environment, created_on, status)
    do update set payouts = n.payouts + excluded.payouts)`;

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
  tenantsFromAnywhere(`${isNotPutOff('w', 'merchant_id', 'FILL_PAYOUT')} and (
     exists (select from ledger_entry e where e.merchant_id = w.merchant_id
       and e.environment = w.environment and e.account = 'MERCHANT_PAYABLE'
       and e.written_in >= (select coalesce(max(c.up_to_written_in), '0'::xid8)
         from payout_cursor c
         where c.merchant_id = w.merchant_id and c.environment = w.environment)
       and e.reason not like 'PAYOUT%'
       and not exists (select from payout_line l where l.merchant_id = e.merchant_id
         and l.environment = e.environment and l.entry_id = e.entry_id offset 0) offset 0)
     or exists (select from payout_line l where l.merchant_id = w.merchant_id
       and l.environment = w.environment and l.state = 'RELEASED'))`),
);

type Attached = { readonly lines: number };

type Values = Tenant & { readonly turnVersion: number; readonly periodEndsAt: Date };

/**
 * Adds every entry of the payable balance to the open payout of its store's bank account, or to that
 * which holds what it follows, opening one if needed. The cursor moves only if nothing was left behind.
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
     select f.*, coalesce(open.sort_code, a.sort_code) as sort_code,
       coalesce(open.account_number, a.account_number) as account_number,
       coalesce(open.account_name, a.account_name) as account_name
     from (select entry_id, amount_pence, reason, resource_id, attempt_id, store_id, occurred_at
         from fresh union all select * from fee_line union all select * from released) f
     join store_bank_account a on a.merchant_id = :merchantId and a.environment = :environment
       and a.store_id = f.store_id${openPayoutSql}),
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

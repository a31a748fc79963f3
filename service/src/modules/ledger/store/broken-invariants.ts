import { type Fragment, sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import { verifying } from './verifications.ts';

type Subject = { readonly subject: string };

const invariant = (name: string, text: Fragment<never>): Statement<Record<never, never>, Subject> =>
  statement<Record<never, never>, Subject>(name, text, verifying);

/**
 * Each finds what must not exist, across all merchants. Sums of entries (MONEY-9, MONEY-10) are in
 * `verifications.ts`.
 */
export const brokenInvariants = {
  // What customers paid is with the merchant, the operator, on its way, paid out or paid back.
  'MONEY-11': invariant(
    'books_money_11',
    sql()`
     with paid as (
       select merchant_id, environment, sum(amount_pence + tip_pence) as pence from attempt
       where status = 'COMPLETED' and settles_to = 'COLLECTING_ACCOUNT' group by 1, 2),
     held as (
       select merchant_id, environment, -sum(amount_pence) as pence from ledger_entry
       where account in ('MERCHANT_UNSETTLED', 'MERCHANT_PAYABLE', 'FEES', 'REFUNDS_IN_TRANSIT',
         'PAYOUTS_IN_TRANSIT', 'RETURNS', 'HELD_FOR_CASES') group by 1, 2),
     gone as (
       select merchant_id, environment, sum(amount_pence) as pence from (
         select merchant_id, environment, amount_pence from refund
         where status = 'COMPLETED' and method = 'PAY_BY_BANK'
         union all select merchant_id, environment, amount_pence from payout
         where status = 'SETTLED'
         -- Of a payout in parts, what did not leave, or has left before the others.
         union all select p.merchant_id, p.environment,
           case p.status when 'SETTLED' then -t.amount_pence else t.amount_pence end
         from payout p join transfer t on t.merchant_id = p.merchant_id
           and t.environment = p.environment and t.subject_id = p.payout_id
         where p.status = 'SETTLED' and t.outcome in ('REJECTED', 'RETURNED')
           or p.status = 'PROCESSING' and t.outcome = 'SETTLED') done group by 1, 2)
     select merchant_id || ' ' || environment as subject
     from paid full join held using (merchant_id, environment)
       full join gone using (merchant_id, environment)
     where coalesce(paid.pence, 0) <> coalesce(held.pence, 0) + coalesce(gone.pence, 0) limit 100`,
  ),
  // No more is refunded than was paid.
  'MONEY-12': invariant(
    'books_money_12',
    sql()`
     with refunds as (
       select merchant_id, environment, attempt_id,
         sum(amount_pence) filter (where status = 'COMPLETED') as refunded,
         sum(amount_pence) filter (where status in ('INITIATED', 'PENDING')) as reserved
       from refund group by 1, 2, 3)
     select a.attempt_id::text as subject from attempt a
     left join refunds r on r.merchant_id = a.merchant_id and r.environment = a.environment
       and r.attempt_id = a.attempt_id
     where a.refunded_pence <> coalesce(r.refunded, 0)
       or a.refund_reserved_pence <> coalesce(r.reserved, 0)
       or a.refunded_pence + a.refund_reserved_pence + refunded_at_processor_pence(a.refunds)
         > a.amount_pence + a.tip_pence limit 100`,
  ),
  // No more is captured than was authorised, and nothing of what was cancelled.
  'MONEY-13': invariant(
    'books_money_13',
    sql()`
     with booked as (
       select merchant_id, environment, attempt_id,
         sum(amount_pence) filter (where account = 'HELD_AT_PROCESSOR'
           and reason = 'PAYMENT_AUTHORISED') as held,
         sum(amount_pence) filter (where account = 'SETTLED_BY_PROCESSOR'
           and reason = 'PAYMENT_COMPLETED') as captured
       from ledger_entry where reason in ('PAYMENT_AUTHORISED', 'PAYMENT_COMPLETED')
         and attempt_id is not null group by 1, 2, 3)
     select b.attempt_id::text as subject from booked b
     join attempt a on a.merchant_id = b.merchant_id and a.environment = b.environment
       and a.attempt_id = b.attempt_id
     where a.method = 'CARD' and (b.captured > b.held
       or a.status = 'CANCELLED' and b.captured > 0) limit 100`,
  ),
  // What happens to a payment, refund or payout once is booked once.
  'MONEY-14': invariant(
    'books_money_14',
    sql()`
     select resource_id || ' ' || reason as subject from ledger_entry
     where reason in ('PAYMENT_AUTHORISED', 'PAYMENT_COMPLETED', 'PAYMENT_SETTLED',
       'PAYMENT_REVERSED', 'REFUND_COMPLETED', 'REFUND_RETURNED', 'FEE_CHARGED', 'FEE_RETURNED',
       'PAYOUT_HANDED_OVER', 'PAYOUT_SETTLED', 'PAYOUT_REJECTED', 'PAYOUT_RETURNED')
     group by merchant_id, environment, resource_id, attempt_id, reason
     having count(distinct transaction_id) > 1 limit 100`,
  ),
  // A payout is the sum of its lines, each an entry of the payable balance that is paid out once.
  'MONEY-15': invariant(
    'books_money_15',
    sql()`
     (select p.payout_id::text as subject from payout p
       left join payout_line l on l.merchant_id = p.merchant_id and l.environment = p.environment
         and l.payout_id = p.payout_id
       group by p.merchant_id, p.environment, p.payout_id, p.amount_pence, p.line_count
       having p.amount_pence <> coalesce(sum(l.amount_pence), 0)
         or p.line_count <> count(l.entry_id) limit 100)
     union all (select l.payout_id::text from payout_line l
       left join ledger_entry e on e.merchant_id = l.merchant_id and e.environment = l.environment
         and e.entry_id = l.entry_id
       where e.entry_id is null or e.account <> 'MERCHANT_PAYABLE'
         or e.amount_pence <> -l.amount_pence limit 100)
     union all (select l.entry_id::text from payout_line l
       join payout p on p.merchant_id = l.merchant_id and p.environment = l.environment
         and p.payout_id = l.payout_id
       where p.status <> 'FAILED'
       group by l.merchant_id, l.environment, l.entry_id having count(*) > 1 limit 100)`,
  ),
  // The guard of each table that is only written to stands, and no entry was ever changed.
  'MONEY-16': invariant(
    'books_money_16',
    sql()`
     select 'no guard on ' || t.name as subject
     from unnest(array['ledger_entry', 'payment_history', 'refund_history', 'payout_history',
       'operator_case_history', 'audit_record', 'audit_seal']) as t (name)
     where not exists (select from pg_trigger g
       where g.tgrelid = to_regclass(t.name) and g.tgname = t.name || '_append_only'
         and g.tgenabled in ('O', 'A'))
     union all select 'changed rows in ' || s.relname from pg_stat_user_tables s
     where s.relid in (select relid from pg_partition_tree('ledger_entry'))
       and s.n_tup_upd + s.n_tup_del > 0`,
  ),
  // What has left a bank account of a merchant's stores never exceeds what came in: of what is in no
  // payout that was handed over, only a reversal, a fee or what the bank took besides makes less.
  'MONEY-24': invariant(
    'books_money_24',
    sql()`
     with held as (
       select l.merchant_id, l.environment, p.sort_code || p.account_number as account,
         l.amount_pence, l.reason
       from payout p join payout_line l on l.merchant_id = p.merchant_id
         and l.environment = p.environment and l.payout_id = p.payout_id
       where p.status = 'PENDING'
       union all
       select l.merchant_id, l.environment, a.sort_code || a.account_number, l.amount_pence,
         l.reason
       from payout_line l join store_bank_account a on a.merchant_id = l.merchant_id
         and a.environment = l.environment and a.store_id = l.store_id
       where l.state = 'RELEASED'
       union all
       select e.merchant_id, e.environment, a.sort_code || a.account_number, -e.amount_pence,
         e.reason
       from ledger_entry e join store_bank_account a on a.merchant_id = e.merchant_id
         and a.environment = e.environment and a.store_id = e.store_id
       left join payout_cursor c on c.merchant_id = e.merchant_id
         and c.environment = e.environment
       where e.account = 'MERCHANT_PAYABLE' and e.reason not like 'PAYOUT%'
         and e.written_in >= coalesce(c.up_to_written_in, '0'::xid8)
         and not exists (select from payout_line l where l.merchant_id = e.merchant_id
           and l.environment = e.environment and l.entry_id = e.entry_id))
     select merchant_id || ' ' || environment || ' ' || account as subject from held
     where reason not in ('PAYMENT_REVERSED', 'FEE_CHARGED')
       and not (reason = 'TRANSFER_DIFFERENCE' and amount_pence < 0)
     group by merchant_id, environment, account having sum(amount_pence) < 0 limit 100`,
  ),
  // What a merchant's refunds and payouts took from the collecting account has arrived there for it.
  'MONEY-25': invariant(
    'books_money_25',
    sql()`
     select merchant_id || ' ' || environment as subject from ledger_entry
     where account in ('COLLECTING_ACCOUNT', 'REFUNDS_IN_TRANSIT', 'PAYOUTS_IN_TRANSIT')
       and reason not in ('PAYMENT_REVERSED', 'TRANSFER_DIFFERENCE')
     group by merchant_id, environment having sum(amount_pence) < 0 limit 100`,
  ),
  // No more is refunded of a payment than has arrived for it, unless its merchant may refund before.
  'MONEY-26': invariant(
    'books_money_26',
    sql()`
     with gone as (
       select r.merchant_id, r.environment, r.attempt_id, -sum(e.amount_pence) as pence
       from refund r join ledger_entry e on e.merchant_id = r.merchant_id
         and e.environment = r.environment and e.resource_id = r.refund_id
       where r.method = 'PAY_BY_BANK' and e.reason like 'REFUND%'
         and e.account in ('REFUNDS_IN_TRANSIT', 'COLLECTING_ACCOUNT')
       group by 1, 2, 3),
     arrived as (
       select merchant_id, environment, attempt_id, sum(amount_pence) as pence from ledger_entry
       where account = 'COLLECTING_ACCOUNT' and reason = 'PAYMENT_SETTLED' group by 1, 2, 3)
     select g.attempt_id::text as subject from gone g
     left join arrived a on a.merchant_id = g.merchant_id and a.environment = g.environment
       and a.attempt_id = g.attempt_id
     join merchant_switch w on w.merchant_id = g.merchant_id and w.environment = g.environment
     where g.pence > coalesce(a.pence, 0) and not w.refunds_before_settlement limit 100`,
  ),
} as const;

export type InvariantId = keyof typeof brokenInvariants;

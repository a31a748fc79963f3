import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** An older report changes nothing; one of the far future hides later ones for a day. */
export const recordBalance = statement<
  {
    readonly environment: Environment;
    readonly balancePence: string;
    readonly reportedAt: Date;
  },
  never
>(
  'bank_balance_record',
  sql('environment', 'balancePence', 'reportedAt')`
   insert into bank_balance as b (environment, balance_pence, reported_at)
   values (:environment, :balancePence::bigint,
     least(:reportedAt::timestamptz, clock_timestamp() + interval '1 day'))
   on conflict (environment) do update set balance_pence = excluded.balance_pence,
     reported_at = excluded.reported_at, received_at = clock_timestamp()
   where b.reported_at <= excluded.reported_at`,
  { guardedBy: 'the time of the report: the newest stays' },
);

export type BalanceRow = {
  readonly environment: Environment;
  readonly balance_pence: bigint;
  readonly received: string;
  readonly difference_pence: bigint | null;
  readonly unchanged_ms: number;
  readonly named_pence: bigint;
  readonly booked_pence: bigint;
  readonly unmatched_pence: bigint;
  readonly in_air_pence: bigint;
  readonly has_case: boolean;
};

/**
 * The reported balance beside our books: the collecting account of the ledger, credits and debits
 * that nothing explains, and what a status or a return has told within a day and the account does not
 * list yet; of a merchant that came from another cell, only what was booked since. One that agreed is
 * not compared again before the next report.
 */
export const compareBalance = statement<{ readonly environment: Environment }, BalanceRow>(
  'bank_balance_compare',
  sql('environment')`
   select b.environment, b.balance_pence, b.received_at::text as received, b.difference_pence,
     b.named_pence, coalesce(extract(epoch from clock_timestamp() - b.difference_since) * 1000, 0)
       ::float8 as unchanged_ms,
     (select coalesce(sum(coalesce(n.balance_pence, 0) + s.pence), 0)::bigint
       from merchant_switch w
       left join lateral (select balance_pence, up_to_written_in from ledger_snapshot
         where merchant_id = w.merchant_id and environment = w.environment
           and account = 'COLLECTING_ACCOUNT'
         order by up_to_written_in desc limit 1) n on true
       cross join lateral (select coalesce(sum(e.amount_pence), 0) as pence from ledger_entry e
         where e.merchant_id = w.merchant_id and e.environment = w.environment
           and e.account = 'COLLECTING_ACCOUNT'
           and e.written_in >= coalesce(n.up_to_written_in, '0'::xid8)) s
       where w.environment = b.environment) as booked_pence,
     (select coalesce(sum(c.amount_pence), 0)::bigint from account_credit c
       where c.environment = b.environment and c.status in ('OPEN', 'UNMATCHED'))
       - (select coalesce(sum(d.amount_pence), 0)::bigint from account_debit d
         where d.environment = b.environment and d.credit_id is null)
       + (select coalesce(sum(case when d.kind = 'DEPOSIT' then d.amount_pence
           else -d.amount_pence end), 0)::bigint from transfer_entry d
         where d.environment = b.environment and d.kind in ('DEPOSIT', 'GIVEN_BACK')) as unmatched_pence,
     -(select coalesce(sum(e.amount_pence), 0)::bigint from ledger_entry e
       where e.environment = b.environment and e.account = 'COLLECTING_ACCOUNT'
         and e.reason in ('PAYMENT_SETTLED', 'PAYMENT_REVERSED')
         and e.written_at > now() - interval '1 day'
         and not exists (select from cell_move m
           where m.merchant_id = e.merchant_id and m.came_at > e.written_at)
         and not exists (select from account_credit c where c.merchant_id = e.merchant_id
           and c.environment = e.environment and c.attempt_id = e.attempt_id))
       + (select coalesce(sum(t.amount_pence), 0)::bigint
         from transfer_batch w
         join transfer t on t.merchant_id = w.merchant_id and t.environment = w.environment
           and t.message_id = w.message_id
         where w.environment = b.environment and w.created_at > now() - interval '1 day'
           and not exists (select from cell_move m
             where m.merchant_id = w.merchant_id and m.came_at > w.created_at)
           and (t.outcome = 'SETTLED' or exists (select from transfer_entry r
             where r.environment = t.environment and r.end_to_end_id = t.end_to_end_id
               and r.kind = 'RETURN'))
           and not exists (select from transfer_entry d where d.environment = t.environment
             and d.end_to_end_id = t.end_to_end_id and d.kind = 'DEBIT'))
       as in_air_pence,
     exists (select from operator_case c where c.kind = 'BANK_BALANCE_DIFFERS'
       and c.subject = b.environment and c.status = 'OPEN') as has_case
   from bank_balance b
   where b.environment = :environment and (b.checked_at is null or b.checked_at <= b.received_at
     or b.difference_pence <> b.named_pence or b.named_pence <> 0)`,
  { readsWholeTables: true },
);

export const noteComparison = statement<
  {
    readonly environment: Environment;
    readonly received: string;
    readonly differencePence: string;
    readonly namedPence: string;
    readonly isReconciled: boolean;
  },
  never
>(
  'bank_balance_note',
  sql('environment', 'received', 'differencePence', 'namedPence', 'isReconciled')`
   update bank_balance set checked_at = clock_timestamp(),
     difference_since = case when difference_pence = :differencePence::bigint then difference_since
       else clock_timestamp() end,
     difference_pence = :differencePence::bigint, named_pence = :namedPence::bigint,
     reconciled_at = case when :isReconciled::boolean then clock_timestamp() else reconciled_at end,
     reconciled_pence = case when :isReconciled::boolean then balance_pence
       else reconciled_pence end
   where environment = :environment and received_at = :received::timestamptz`,
  { guardedBy: 'the report as read' },
);

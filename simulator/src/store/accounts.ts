import type { Account, AccountWithBalance, Movement } from '#simulator/bank/model.ts';
import type { Connection } from './database.ts';

export const accountStore = (database: Connection) => ({
  accountsById: (bankId: string, ids: readonly string[], now: number) =>
    database.rows<AccountWithBalance>(selectAccounts, bankId, ids, new Date(now)),
  movementsOf: ({ sortCode, accountNumber }: Account, now: number) =>
    database.rows<Movement>(selectMovements, sortCode, accountNumber, new Date(now)),
});

export const signedPence = `case direction when 'CRDT' then amount_pence else -amount_pence end`;

// The running balance, and what was booked since it was last brought up to date.
const selectAccounts = `
  select account.*, (account.opening_pence + coalesce(balance.counted_pence, 0) + coalesce((
      select sum(${signedPence}) from simulator.account_entry as entry
      where entry.sort_code = account.sort_code and entry.account_number = account.account_number
        and not is_counted and booked_at <= $3
    ), 0))::bigint as balance_pence
  from simulator.account
  left join simulator.account_balance as balance
    on balance.sort_code = account.sort_code and balance.account_number = account.account_number
  where bank_id = $1 and id = any($2::text[]) order by position`;

// A payment is pending until its bank calls it settled.
const selectMovements = `
  select id, stated_at as at, direction, kind, amount_pence, reference, counterparty,
    booked_at + pending_ms * interval '1 millisecond' <= $3 as is_booked
  from simulator.account_entry
  where sort_code = $1 and account_number = $2 and booked_at <= $3`;

// Entries that others hold are counted the next time.
export const countEntries = (database: Connection, now: number): Promise<number> =>
  database.change(count, new Date(now));

const count = `
  with counted as (
    update simulator.account_entry set is_counted = true
    where id in (
      select id from simulator.account_entry
      where not is_counted and booked_at <= $1 for update skip locked
    )
    returning sort_code, account_number, ${signedPence} as pence
  )
  insert into simulator.account_balance as balance (sort_code, account_number, counted_pence)
  select sort_code, account_number, sum(pence) from counted group by 1, 2
  on conflict (sort_code, account_number)
    do update set counted_pence = balance.counted_pence + excluded.counted_pence`;

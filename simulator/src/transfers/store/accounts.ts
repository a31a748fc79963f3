import { signedPence } from '#simulator/store/accounts.ts';
import { type Connection, jsonOfRows } from '#simulator/store/database.ts';
import type { Account, BookedEntry, Entry, NamedAccount } from '../model.ts';

// Opens the account on first use and locks it until the transaction ends, so that messages for one
// account are created one after another.
export const holdAccount = (
  connection: Connection,
  { sortCode, accountNumber, name = '' }: Account & { readonly name?: string },
) => connection.change(openRow, sortCode, accountNumber, name);

const openRow = `
  insert into simulator.hub_account (sort_code, account_number, name) values ($1, $2, $3)
  on conflict (sort_code, account_number)
  do update set name = coalesce(nullif(excluded.name, ''), hub_account.name)`;

// The balance of a report: the one before it and its entries.
export const moveReportedBalance = async (
  connection: Connection,
  { sortCode, accountNumber }: Account,
  addedPence: bigint,
): Promise<bigint> => {
  const values = [sortCode, accountNumber, addedPence];
  return (await connection.row<{ pence: bigint }>(moveReported, ...values))?.pence ?? addedPence;
};

const moveReported = `
  update simulator.hub_account set reported_pence = reported_pence + $3
  where sort_code = $1 and account_number = $2
  returning reported_pence + opening_pence as pence`;

type AccountTerms = NamedAccount & {
  readonly openingPence: bigint;
  readonly mayOverdraw: boolean;
};

export const setAccountTerms = (connection: Connection, account: AccountTerms) => {
  const { sortCode, accountNumber, name, openingPence, mayOverdraw } = account;
  const values = [sortCode, accountNumber, name, openingPence, mayOverdraw];
  return connection.change(upsertTerms, ...values);
};

const upsertTerms = `
  insert into simulator.hub_account
    (sort_code, account_number, name, opening_pence, may_overdraw)
  values ($1, $2, $3, $4, $5)
  on conflict (sort_code, account_number)
  do update set opening_pence = excluded.opening_pence, may_overdraw = excluded.may_overdraw`;

// Booked `now`, in real time and on the clock of the transfer, and later what is planned. The creditor's
// statement may be on a clock that is ahead.
export const insertEntries = async (
  connection: Connection,
  entries: readonly Entry[],
  now: number,
): Promise<void> => {
  if (entries.length === 0) return;
  const rows = entries.map(({ account, afterMs, statedAheadMs = 0, ...entry }) => ({
    ...entry,
    sortCode: account.sortCode,
    accountNumber: account.accountNumber,
    bookedAt: new Date(now + afterMs),
    statedAt: new Date(now + afterMs + statedAheadMs),
  }));
  await connection.change(insertRows, jsonOfRows(rows));
};

const columns = `sort_code, account_number, direction, kind, amount_pence, end_to_end_id, shows_id,
  counterparty, reference, reason, booked_at, stated_at`;

const insertRows = `
  insert into simulator.account_entry (${columns})
  select ${columns} from json_populate_recordset(null::simulator.account_entry, $1)`;

export const takeUnreported = async (
  connection: Connection,
  { sortCode, accountNumber }: Account,
  now: number,
  limit: number,
): Promise<readonly BookedEntry[]> => {
  const values = [sortCode, accountNumber, new Date(now), limit];
  const rows = await connection.rows<BookedEntry>(selectUnreported, ...values);
  return rows.toSorted((one, other) => Number(one.id - other.id));
};

const selectUnreported = `
  update simulator.account_entry set is_reported = true
  where id in (
    select id from simulator.account_entry
    where sort_code = $1 and account_number = $2 and not is_reported and booked_at <= $3
    order by booked_at, id limit $4
  )
  returning *`;

type Balance = {
  readonly balancePence: bigint;
  // Less what accepted transfers will still debit.
  readonly availablePence: bigint;
  readonly mayOverdraw: boolean;
};

export const readBalance = async (
  connection: Connection,
  { sortCode, accountNumber }: Account,
  now: number,
): Promise<Balance> => {
  const values = [sortCode, accountNumber, new Date(now)];
  const row = await connection.row<Balance>(selectBalance, ...values);
  return row ?? { balancePence: 0n, availablePence: 0n, mayOverdraw: true };
};

// The running balance, and what was booked since it was last brought up to date.
const selectBalance = `
  select balance_pence, balance_pence - coming_pence as available_pence, may_overdraw from (
    select coalesce(max(account.opening_pence), 0) + coalesce(max(balance.counted_pence), 0)
        + coalesce(sum(${signedPence}) filter (where booked_at <= $3), 0)::bigint as balance_pence,
      coalesce(sum(amount_pence)
        filter (where booked_at > $3 and direction = 'DBIT'), 0)::bigint as coming_pence,
      coalesce(bool_and(account.may_overdraw), true) as may_overdraw
    from (select $1::text as sort_code, $2::text as account_number) as wanted
    left join simulator.account_entry as entry on entry.sort_code = wanted.sort_code
      and entry.account_number = wanted.account_number and not is_counted
    left join simulator.account_balance as balance on balance.sort_code = wanted.sort_code
      and balance.account_number = wanted.account_number
    left join simulator.hub_account as account on account.sort_code = wanted.sort_code
      and account.account_number = wanted.account_number
  ) as summed`;

export const listEntries = (
  connection: Connection,
  { sortCode, accountNumber }: Account,
  now: number,
) => connection.rows<BookedEntry>(selectBooked, sortCode, accountNumber, new Date(now));

const selectBooked = `
  select * from simulator.account_entry
  where sort_code = $1 and account_number = $2 and booked_at <= $3 order by booked_at, id`;

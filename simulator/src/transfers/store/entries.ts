import type { Pool, PoolClient } from 'pg';
import type { Account, BookedEntry, Entry, NamedAccount } from '../model.ts';

type Connection = Pool | PoolClient;

// `now` is the real instant, `statedNow` the same on the booked transfer's own clock.
type Instants = {
  readonly now: number;
  readonly statedNow: number;
};

export const insertEntries = async (
  connection: Connection,
  entries: readonly Entry[],
  { now, statedNow }: Instants,
): Promise<void> => {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => rowOf(entry, { now, statedNow }));
  await connection.query(insertRows, [JSON.stringify(rows)]);
};

const rowOf = (entry: Entry, { now, statedNow }: Instants) => ({
  sort_code: entry.account.sortCode,
  account_number: entry.account.accountNumber,
  direction: entry.direction,
  kind: entry.kind,
  amount_pence: entry.amountPence.toString(),
  end_to_end_id: entry.endToEndId,
  shows_id: entry.showsId,
  counterparty: entry.counterparty,
  reference: entry.reference,
  reason: entry.reason,
  booked_at: new Date(now + entry.afterMs),
  stated_at: new Date(statedNow + entry.afterMs),
});

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
  const { rows } = await connection.query<EntryRow>(selectUnreported, values);
  return rows.map(entryOf).sort((one, other) => Number(one.id - other.id));
};

const selectUnreported = `
  update simulator.account_entry set is_reported = true
  where id in (
    select id from simulator.account_entry
    where sort_code = $1 and account_number = $2 and not is_reported and booked_at <= $3
    order by booked_at, id limit $4
  )
  returning *`;

export type Balance = {
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
  const { rows } = await connection.query<BalanceRow>(selectBalance, values);
  const [row] = rows;
  const openingPence = row?.opening_pence ?? 0n;
  return {
    balancePence: openingPence + (row?.booked_pence ?? 0n),
    availablePence: openingPence + (row?.booked_pence ?? 0n) - (row?.coming_pence ?? 0n),
    mayOverdraw: row?.may_overdraw ?? true,
  };
};

const selectBalance = `
  select entry.booked_pence, entry.coming_pence, account.opening_pence, account.may_overdraw
  from (
    select
      coalesce(sum(case direction when 'CRDT' then amount_pence else -amount_pence end)
        filter (where booked_at <= $3), 0)::bigint as booked_pence,
      coalesce(sum(amount_pence)
        filter (where booked_at > $3 and direction = 'DBIT'), 0)::bigint as coming_pence
    from simulator.account_entry where sort_code = $1 and account_number = $2
  ) as entry
  left join simulator.hub_account as account on sort_code = $1 and account_number = $2`;

export const listEntries = async (
  connection: Connection,
  { sortCode, accountNumber }: Account,
  now: number,
): Promise<readonly BookedEntry[]> => {
  const values = [sortCode, accountNumber, new Date(now)];
  const { rows } = await connection.query<EntryRow>(selectBooked, values);
  return rows.map(entryOf);
};

const selectBooked = `
  select * from simulator.account_entry
  where sort_code = $1 and account_number = $2 and booked_at <= $3 order by booked_at, id`;

type BalanceRow = {
  readonly booked_pence: bigint;
  readonly coming_pence: bigint;
  readonly opening_pence: bigint | null;
  readonly may_overdraw: boolean | null;
};

type EntryRow = {
  readonly id: bigint;
  readonly sort_code: string;
  readonly account_number: string;
  readonly direction: Entry['direction'];
  readonly kind: Entry['kind'];
  readonly amount_pence: bigint;
  readonly end_to_end_id: string | null;
  readonly shows_id: boolean;
  readonly counterparty: NamedAccount;
  readonly reference: string;
  readonly reason: string | null;
  readonly stated_at: Date;
};

const entryOf = (row: EntryRow): BookedEntry => ({
  id: row.id,
  account: { sortCode: row.sort_code, accountNumber: row.account_number },
  direction: row.direction,
  kind: row.kind,
  amountPence: row.amount_pence,
  endToEndId: row.end_to_end_id ?? undefined,
  showsId: row.shows_id,
  counterparty: row.counterparty,
  reference: row.reference,
  reason: row.reason ?? undefined,
  statedAt: row.stated_at,
});

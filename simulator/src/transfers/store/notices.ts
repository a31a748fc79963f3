import type { Pool } from 'pg';
import type { Account } from '../model.ts';

// When the next message without a notice is there; Infinity: none is planned.
export const nextNoticeAt = async (
  pool: Pool,
  { sortCode, accountNumber }: Account,
): Promise<number> => {
  const query = { name: 'hub-next-notice', text: selectNext };
  const { rows } = await pool.query<{ next_at: Date | null }>(query, [sortCode, accountNumber]);
  return rows[0]?.next_at?.getTime() ?? Number.POSITIVE_INFINITY;
};

const selectNext = `
  select least(
    (select min(due_at) from simulator.hub_transfer
      where sort_code = $1 and account_number = $2 and due_at is not null),
    (select min(booked_at) from simulator.account_entry
      where sort_code = $1 and account_number = $2 and not is_reported),
    (select min(available_at) from simulator.hub_delivery
      where sort_code = $1 and account_number = $2 and acknowledged_at is null
        and noticed_at is null)) as next_at`;

export const listUnnoticed = async (
  pool: Pool,
  { sortCode, accountNumber }: Account,
  now: number,
): Promise<readonly string[]> => {
  const values = [sortCode, accountNumber, new Date(now)];
  const { rows } = await pool.query<{ reference: string }>(selectUnnoticed, values);
  return rows.map(({ reference }) => reference);
};

const selectUnnoticed = `
  select reference from simulator.hub_delivery
  where sort_code = $1 and account_number = $2 and acknowledged_at is null
    and noticed_at is null and available_at <= $3
  order by available_at limit 1000`;

export const markNoticed = async (
  pool: Pool,
  references: readonly string[],
  now: number,
): Promise<void> => {
  await pool.query(
    'update simulator.hub_delivery set noticed_at = $2 where reference = any($1::text[])',
    [references, new Date(now)],
  );
};

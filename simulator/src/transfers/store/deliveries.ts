import type { Pool, PoolClient } from 'pg';
import type { Account } from '../model.ts';

export type NewDelivery = {
  readonly reference: string;
  readonly endToEndIds: readonly string[];
  readonly text: string;
  readonly availableAt: number;
};

export type WaitingDelivery = {
  readonly reference: string;
  readonly text: string;
};

export const insertDelivery = async (
  client: PoolClient,
  { sortCode, accountNumber }: Account,
  delivery: NewDelivery,
): Promise<void> => {
  const { reference, endToEndIds, text, availableAt } = delivery;
  await client.query(insertRow, [
    ...[reference, sortCode, accountNumber],
    ...[endToEndIds, text, new Date(availableAt)],
  ]);
};

const insertRow = `
  insert into simulator.hub_delivery
    (reference, sort_code, account_number, end_to_end_ids, text, available_at)
  values ($1, $2, $3, $4, $5, $6)`;

export const listWaiting = async (
  pool: Pool,
  { sortCode, accountNumber }: Account,
  now: number,
  limit: number,
): Promise<readonly WaitingDelivery[]> => {
  const values = [sortCode, accountNumber, new Date(now), limit];
  const { rows } = await pool.query<WaitingDelivery>(selectWaiting, values);
  return rows;
};

const selectWaiting = `
  select reference, text from simulator.hub_delivery
  where sort_code = $1 and account_number = $2 and acknowledged_at is null and available_at <= $3
  order by available_at, seq limit $4`;

export const acknowledgeDelivery = async (
  pool: Pool,
  reference: string,
  quarantineReason: string | null,
  now: number,
): Promise<void> => {
  await pool.query(updateAcknowledged, [reference, quarantineReason, new Date(now)]);
};

const updateAcknowledged = `
  update simulator.hub_delivery set acknowledged_at = $3, quarantine_reason = $2
  where reference = $1 and acknowledged_at is null`;

import type { Pool } from 'pg';

// Moves the clocks of these transfers: their remaining steps, entries and reports fall due sooner.
export const advanceTransfers = async (
  pool: Pool,
  endToEndIds: readonly string[],
  milliseconds: number,
): Promise<number> => {
  const { rows } = await pool.query<{ moved: bigint }>(advance, [endToEndIds, milliseconds]);
  return Number(rows[0]?.moved ?? 0);
};

const advance = `
  with moved as (
    update simulator.hub_transfer
    set clock_offset_ms = clock_offset_ms + $2, due_at = due_at - $2 * interval '1 millisecond'
    where end_to_end_id = any($1::text[])
    returning 1
  ), entries as (
    update simulator.account_entry set booked_at = booked_at - $2 * interval '1 millisecond'
    where end_to_end_id = any($1::text[]) and consent_id is null
  ), deliveries as (
    update simulator.hub_delivery set available_at = available_at - $2 * interval '1 millisecond'
    where end_to_end_ids && $1::text[] and acknowledged_at is null
  )
  select count(*) as moved from moved`;

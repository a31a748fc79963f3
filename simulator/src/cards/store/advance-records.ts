import type { Pool } from '#simulator/store/open-pool.ts';

// The further a record's clock is ahead, the sooner it is due in real time.
export const advanceRecords = async (
  pool: Pool,
  ids: readonly string[],
  milliseconds: number,
): Promise<number> => {
  const { rowCount } = await pool.query(advance, [ids, milliseconds]);
  return rowCount ?? 0;
};

const advance = `
  update simulator.card_record
  set clock_offset_ms = clock_offset_ms + $2, version = version + 1,
    due_at = due_at - $2 * interval '1 millisecond'
  where id = any($1::text[]) and kind in ('intent', 'session')`;

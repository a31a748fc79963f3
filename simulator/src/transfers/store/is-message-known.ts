import type { Pool } from 'pg';

export const isMessageKnown = async (pool: Pool, messageId: string): Promise<boolean> => {
  const { rowCount } = await pool.query('select from simulator.hub_message where message_id = $1', [
    messageId,
  ]);
  return rowCount === 1;
};

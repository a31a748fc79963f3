import type { Pool } from 'pg';

export type PassedMessage = {
  readonly key: string;
  readonly text: string;
  readonly quarantineReason: string | null;
};

const maxListed = 500;

// Every message that passed between the hub and its clients, as it was, after the one with this key.
export const listMessages = async (
  pool: Pool,
  after: string,
): Promise<readonly PassedMessage[]> => {
  const { rows } = await pool.query<PassedMessage>(selectMessages, [after, maxListed]);
  return rows;
};

const selectMessages = `
  select key, text, quarantine_reason as "quarantineReason" from (
    select 'from client ' || message_id as key, text, null as quarantine_reason
    from simulator.hub_message
    union all
    select 'from hub ' || reference, text, quarantine_reason from simulator.hub_delivery
  ) as message
  where key collate "C" > $1 order by key collate "C" limit $2`;

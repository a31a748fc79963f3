import { once } from 'node:events';
import pg from 'pg';

type Connection = NodeJS.EventEmitter & { readonly sendCopyFromChunk: (chunk: Buffer) => void };

/**
 * Follows the server's log as a standby does, and says once how far it is: later it is ever further behind.
 */
export const followDatabase = async (
  url: string,
): Promise<{ readonly end: () => Promise<void> }> => {
  const config = { connectionString: url, replication: 'true' };
  const client = new pg.Client(config as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  const { connection } = client as unknown as { readonly connection: Connection };
  const { rows } = await client.query('IDENTIFY_SYSTEM');
  const position: string = rows[0].xlogpos;
  const started = once(connection, 'replicationStart');
  client.query(`START_REPLICATION PHYSICAL ${position}`).catch(() => undefined);
  await started;
  connection.sendCopyFromChunk(standbyStatus(position));
  return { end: () => client.end() };
};

/** Written, flushed and applied up to there. */
const standbyStatus = (position: string): Buffer => {
  const [high = 0n, low = 0n] = position.split('/').map((part) => BigInt(`0x${part}`));
  const message = Buffer.alloc(34);
  message.write('r');
  for (const at of [1, 9, 17]) message.writeBigUInt64BE((high << 32n) | low, at);
  return message;
};

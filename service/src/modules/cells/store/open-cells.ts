import pg from 'pg';
import type { CommandTools } from '#platform/command.ts';
import { findPrimary } from '#platform/database/find-primary.ts';
import { postgresUrl, readSecret } from '#platform/settings.ts';
import { type Cell, rowsOf } from './moves.ts';

export type Cells = {
  /** That the merchant leaves: the cell whose command it is. */
  readonly here: Cell;
  readonly there: Cell;
  /** By which the server of the other cell reaches this one. */
  readonly hereUrl: string;
};

const needed = `Moving a merchant needs two settings, each the address of a superuser on the database
of a cell: CELL_DATABASE_URL of this one, as the server of the other cell reaches it, and
OTHER_CELL_DATABASE_URL.`;

/** Two connections of superusers, who alone may subscribe, and see whether rows are anybody's. */
export const withCells = async <Answer>(
  { settings }: Pick<CommandTools, 'settings'>,
  run: (cells: Cells) => Promise<Answer>,
): Promise<Answer> => {
  const [given, other] = ['CELL_DATABASE_URL', 'OTHER_CELL_DATABASE_URL'].map((name) =>
    readSecret(settings, name),
  );
  if (!given || !other) throw new Error(needed);
  const hereUrl = await findPrimary(postgresUrl(given));
  const clients = [hereUrl, await findPrimary(postgresUrl(other))].map(connect);
  try {
    const [here, there] = await Promise.all(clients);
    if (!here || !there) throw new Error(needed);
    return await run({ here, there, hereUrl });
  } finally {
    for (const client of clients) await client.then((each) => each.end()).catch(() => undefined);
  }
};

const connect = async (connectionString: string): Promise<Cell> => {
  const client = new pg.Client({
    connectionString,
    application_name: 'florin-cells',
    options: '-c search_path=florin -c timezone=UTC -c lock_timeout=2000',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** One command at a time moves a merchant; the lock ends with the connection of a killed one. */
export const lockMove = async ({ here }: Cells, merchantId: string): Promise<void> => {
  const [taken] = await rowsOf<{ taken: boolean }>(
    here,
    `select pg_try_advisory_lock(hashtextextended('florin move ' || $1, 0)) as taken`,
    [merchantId],
  );
  if (!taken?.taken) throw new Error('Another command moves this merchant at the moment.');
};

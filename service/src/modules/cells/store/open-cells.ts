import pg from 'pg';
import type { CommandTools } from '#platform/command.ts';
import { findPrimary } from '#platform/database/find-primary.ts';
import type { Database } from '#platform/database/open-database.ts';
import type { Statement } from '#platform/database/statement.ts';
import { postgresUrl, readSecret } from '#platform/settings.ts';
import { type Cell, rowsOf } from './moves.ts';

export type Cells = {
  /** That the merchant leaves: the cell whose command it is. */
  readonly here: Cell;
  readonly there: Cell;
  /** By which the server of the other cell reaches this one. */
  readonly hereUrl: string;
  readonly thereUrl: string;
  readonly hereId: string;
  readonly thereId: string;
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
  const thereUrl = await findPrimary(postgresUrl(other));
  return withBoth({ hereUrl, thereUrl }, async ([here, there]) => {
    const [hereId, thereId] = [await idOf(here), await idOf(there)];
    if (hereId === thereId)
      throw new Error('Both addresses lead to the same database, or to a copy of it.');
    return run({ here, there, hereUrl, thereUrl, hereId, thereId });
  });
};

type Urls = Pick<Cells, 'hereUrl' | 'thereUrl'> & { readonly thereWithinMs?: number };

/** Other connections than those of a command, which may be busy, or wait for a cell that says nothing. */
export const withBoth = async <Answer>(
  { hereUrl, thereUrl, thereWithinMs }: Urls,
  run: (clients: readonly [Cell, Cell]) => Promise<Answer>,
): Promise<Answer> => {
  const clients = [connect(hereUrl), connect(thereUrl, thereWithinMs)] as const;
  try {
    return await run(await Promise.all(clients));
  } finally {
    for (const client of clients) await client.then((each) => each.end()).catch(() => undefined);
  }
};

/** This cell alone: the other may be lost. */
export const withThisCell = async <Answer>(
  { settings }: Pick<CommandTools, 'settings'>,
  run: (here: Cell) => Promise<Answer>,
): Promise<Answer> => {
  const given = readSecret(settings, 'CELL_DATABASE_URL');
  if (!given) throw new Error(needed);
  const here = await connect(await findPrimary(postgresUrl(given)));
  try {
    return await run(here);
  } finally {
    await here.end().catch(() => undefined);
  }
};

/** Statements of the programs, which see here what is closed to these. */
export const bySuperuser = (cell: Cell): Pick<Database, 'system'> => ({
  system: async <Values, Row>(
    { text, valueNames }: Statement<Values, Row>,
    values: Values,
  ): Promise<Row[]> => {
    const given = valueNames.map((name) => values[name]);
    return (await cell.query(text, given)).rows;
  },
});

const idOf = async (cell: Cell): Promise<string> => {
  const [found] = await rowsOf<{ cell_id: string }>(
    cell,
    'select cell_id from cell where address is null',
  );
  if (!found) throw new Error('A database does not say which cell it is of.');
  return found.cell_id;
};

/** A machine that died is noticed within a minute, with what its command had locked; in ms the last. */
const keptAlive = {
  ...{ tcp_keepalives_idle: 20, tcp_keepalives_interval: 10, tcp_keepalives_count: 3 },
  tcp_user_timeout: 50_000,
};

const session = Object.entries({
  ...{ search_path: 'florin', timezone: 'UTC', lock_timeout: 2_000 },
  // What is waited for in the pause is in the log when its commit has ended.
  ...{ synchronous_commit: 'on' },
  ...keptAlive,
});

const connect = async (connectionString: string, withinMs?: number): Promise<Cell> => {
  const client = new pg.Client({
    connectionString,
    ...(withinMs !== undefined && { query_timeout: withinMs }),
    application_name: 'florin-cells',
    options: session.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    ...{ keepAlive: true, keepAliveInitialDelayMillis: 20_000 },
  });
  client.on('error', () => undefined);
  await client.connect();
  // As each connection of a program does, so that a restored or promoted server is known as one.
  await client.query('select begin_cluster_epoch()').catch(async (cause: unknown) => {
    await client.end();
    throw new Error(needed, { cause });
  });
  return client;
};

/** One command at a time, of either cell, moves a merchant; the lock of a killed one ends by itself. */
export const lockMove = async (cells: readonly Cell[], merchantId: string): Promise<void> => {
  for (const cell of cells) {
    const [taken] = await rowsOf<{ taken: boolean }>(
      cell,
      `select pg_try_advisory_lock(hashtextextended('florin move ' || $1, 0)) as taken`,
      [merchantId],
    );
    if (!taken?.taken) throw new Error('Another command moves this merchant at the moment.');
  }
};

import type { CommandTools } from '#platform/command.ts';
import { equalsSecretly } from '#platform/secrets/open-secrets.ts';
import { purposeKeyContext } from '#platform/secrets/stored-purpose-keys.ts';
import { type Cell, rowsOf } from './store/moves.ts';
import type { Cells } from './store/open-cells.ts';

type Server = {
  readonly is_superuser: boolean;
  readonly wal_level: string;
  readonly system: string;
  readonly migrations: readonly string[];
};

const readServer = `
  select (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
    current_setting('wal_level') as wal_level,
    (select system_identifier::text from pg_control_system()) || current_database() as system,
    array(select name from migration order by name) as migrations`;

/** Throws a sentence unless these are two cells between which a merchant can be carried. */
export const checkCells = async (tools: CommandTools, { here, there }: Cells): Promise<void> => {
  const [from, to] = [await serverOf(here), await serverOf(there)];
  for (const [name, { is_superuser }] of [
    ['CELL_DATABASE_URL', from],
    ['OTHER_CELL_DATABASE_URL', to],
  ] as const)
    if (!is_superuser) throw new Error(`${name} must be the address of a superuser.`);
  if (from.system === to.system) throw new Error('Both addresses lead to the same database.');
  if (from.wal_level !== 'logical')
    throw new Error(
      `The server of this cell has wal_level ${from.wal_level}: set it to logical and restart it.`,
    );
  if (from.migrations.join() !== to.migrations.join())
    throw new Error('The cells have different schemas: bring both to the same version first.');
  await requireSameKeys(tools, here, there);
};

const serverOf = async (cell: Cell): Promise<Server> => {
  const [server] = await rowsOf<Server>(cell, readServer);
  if (!server) throw new Error('The server does not say what it is.');
  return server;
};

type StoredKey = { readonly purpose: string; readonly key_encrypted: Buffer };

const listKeys = 'select purpose, key_encrypted from purpose_key order by purpose';

/** What one cell encrypted, and what it derived ids and links from, the other must read. */
const requireSameKeys = async (
  { secrets }: Pick<CommandTools, 'secrets'>,
  here: Cell,
  there: Cell,
): Promise<void> => {
  const keysOf = async (cell: Cell) =>
    new Map(
      (await rowsOf<StoredKey>(cell, listKeys)).map(({ purpose, key_encrypted }) => [
        purpose,
        secrets.decrypt(key_encrypted, purposeKeyContext(purpose)),
      ]),
    );
  const ours = await keysOf(here);
  const theirs = await keysOf(there).catch(() => {
    throw new Error('The other cell has another master key: set both up with the same.');
  });
  for (const [purpose, key] of ours)
    if (!equalsSecretly(key, theirs.get(purpose) ?? ''))
      throw new Error(
        `The other cell has another key for ${purpose}: run "operator begin-cell" before a merchant or ` +
          'a person is in it, and restart its programs.',
      );
};

/** Gives a new cell, which nobody uses yet, the keys of purposes of this one. */
export const beginCell = async (tools: CommandTools, { here, there }: Cells): Promise<string> => {
  const [used] = await rowsOf<{ used: boolean }>(
    there,
    'select exists (select from merchant) or exists (select from person) as used',
  );
  if (used?.used)
    throw new Error(
      'The other cell has merchants or people: its keys cannot be replaced any more.',
    );
  for (const { purpose, key_encrypted } of await rowsOf<StoredKey>(here, listKeys))
    await there.query(
      `insert into purpose_key (purpose, key_encrypted) values ($1, $2)
       on conflict (purpose) do update set key_encrypted = excluded.key_encrypted`,
      [purpose, key_encrypted],
    );
  await requireSameKeys(tools, here, there);
  return 'The other cell has the keys of this one. Restart its programs if any run.';
};

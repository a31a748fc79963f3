import type { CommandTools } from '#platform/command.ts';
import { equalsSecretly } from '#platform/secrets/open-secrets.ts';
import { purposeKeyContext, storedPurposeKeys } from '#platform/secrets/stored-purpose-keys.ts';
import { type Cell, rowsOf } from './store/moves.ts';
import type { Cells } from './store/open-cells.ts';

type Server = {
  readonly is_superuser: boolean;
  readonly wal_level: string;
  readonly now: Date;
  readonly is_confirmed: boolean;
  readonly migrations: readonly string[];
};

const readServer = `
  select (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
    current_setting('wal_level') as wal_level,
    clock_timestamp() as now,
    not exists (select from cluster_epoch where confirmed_at is null) as is_confirmed,
    array(select name from migration order by name) as migrations`;

/** Times of rows are of the server that wrote them, and are looked at by the other. */
const maxSkewMs = 10_000;

/** Throws a sentence unless these are two cells between which a merchant can be carried. */
export const checkCells = async (tools: CommandTools, { here, there }: Cells): Promise<void> => {
  const [from, to] = [await serverOf(here), await serverOf(there)];
  for (const [name, { is_superuser }] of [
    ['CELL_DATABASE_URL', from],
    ['OTHER_CELL_DATABASE_URL', to],
  ] as const)
    if (!is_superuser) throw new Error(`${name} must be the address of a superuser.`);
  if (!from.is_confirmed || !to.is_confirmed)
    throw new Error(
      `A ${from.is_confirmed ? 'server of the other' : 'server of this'} cell was restored or promoted: ` +
        'run "operator confirm-epoch" there first.',
    );
  if (Math.abs(from.now.getTime() - to.now.getTime()) > maxSkewMs)
    throw new Error(
      'The clocks of the two servers differ by more than ten seconds: set both by NTP.',
    );
  if (from.wal_level !== 'logical')
    throw new Error(
      `The server of this cell has wal_level ${from.wal_level}: set it to logical and restart it.`,
    );
  if (from.migrations.join() !== to.migrations.join())
    throw new Error('The cells have different schemas: bring both to the same version first.');
  await requireSameKeys(tools, here, there);
  await requireOwnAccounts(here, there);
  await requireOwnFolders(here, there);
};

const listAccounts = `
  select sort_code || ' ' || account_number as account from collecting_account
  where environment = 'PRODUCTION'`;

/** A cell books what comes to its account: two would take it from each other. */
const requireOwnAccounts = async (here: Cell, there: Cell): Promise<void> => {
  const [ours] = await rowsOf<{ account: string }>(here, listAccounts);
  const [theirs] = await rowsOf<{ account: string }>(there, listAccounts);
  if (ours && ours.account === theirs?.account)
    throw new Error(
      'Both cells have one collecting account in production: give the other its own in ' +
        'PRODUCTION_COLLECTING_ACCOUNT, and restart its programs.',
    );
};

/** Also where its second line was changed: each would take the bank's messages from the other. */
const requireOwnFolders = async (here: Cell, there: Cell): Promise<void> => {
  const listFolders = 'select folder_id from transfer_folder';
  const ours = await rowsOf<{ folder_id: string }>(here, listFolders);
  const theirs = await rowsOf<{ folder_id: string }>(there, listFolders);
  const shared = ours.find((one) => theirs.some(({ folder_id }) => folder_id === one.folder_id));
  if (shared)
    throw new Error(
      `Both cells use one folder of the bank's files, ${shared.folder_id}: give the other its own in ` +
        'PRODUCTION_TRANSFER_FOLDER, and run "operator use-transfer-folder" there.',
    );
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

type Address = { readonly ofThis: string; readonly ofOther: string };

/** Gives a new cell, which nobody uses yet, the keys of this one, and makes them known to each other. */
export const beginCell = async (
  tools: CommandTools,
  { here, there, hereId, thereId }: Cells,
  { ofThis, ofOther }: Address,
): Promise<string> => {
  await requireOwnAccounts(here, there);
  await requireOwnFolders(here, there);
  const [used] = await rowsOf<{ used: boolean }>(
    there,
    'select exists (select from merchant) or exists (select from person) as used',
  );
  if (used?.used)
    throw new Error(
      'The other cell has merchants or people: its keys cannot be replaced any more.',
    );
  // For a cell that was set up before there were keys between cells.
  await storedPurposeKeys(tools, tools.secrets);
  for (const { purpose, key_encrypted } of await rowsOf<StoredKey>(here, listKeys))
    await there.query(
      `insert into purpose_key (purpose, key_encrypted) values ($1, $2)
       on conflict (purpose) do update set key_encrypted = excluded.key_encrypted`,
      [purpose, key_encrypted],
    );
  await requireSameKeys(tools, here, there);
  await know(here, thereId, ofOther);
  await know(there, hereId, ofThis);
  return `The other cell is ${thereId}, and has the keys of this one. Restart its programs if any run.`;
};

const know = (cell: Cell, cellId: string, address: string): Promise<unknown> =>
  cell.query(
    `insert into cell (cell_id, address) values ($1, $2)
     on conflict (cell_id) do update set address = excluded.address where cell.address is not null`,
    [cellId, address],
  );

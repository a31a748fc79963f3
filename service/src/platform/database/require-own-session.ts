import type pg from 'pg';

/** The settings of a new connection. `role`: the database role that its statements run as. */
export type SessionSettings = { readonly role: string } & Readonly<Record<string, string>>;

type Found = {
  readonly server_process: number;
  readonly role: string;
  readonly sees_all: boolean;
  readonly is_standby: boolean;
  readonly scope: string;
  readonly settings: Readonly<Record<string, string>>;
};

// With five seconds to connect, a server that freezes now still costs a request less than ten.
const checkMs = 3_000;

// A server that was promoted or restored begins a new epoch before anything is written.
const readSession = `
  select pg_backend_pid() as server_process, current_user::text as role,
    pg_is_in_recovery() as is_standby,
    case when pg_is_in_recovery() then null else florin.begin_cluster_epoch()::text end as epoch,
    coalesce(current_setting('florin.merchants', true), '') as scope,
    (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as sees_all,
    (select json_object_agg(lower(name), setting) from pg_settings where lower(name) = any($1)) as settings`;

/** Throws a sentence unless the server's session is this program's own, with all that it asked for. */
export const requireOwnSession = async (
  client: pg.ClientBase,
  wanted: SessionSettings,
  mayBeStandby = false,
): Promise<void> => {
  const query = { text: readSession, values: [Object.keys(wanted)], query_timeout: checkMs };
  const [found] = (await client.query<Found>(query)).rows;
  if (found?.is_standby && !mayBeStandby) throw new Error(standbyFault);
  const fault = found && findFault(found, wanted, processOf(client));
  if (fault) throw new Error(fault);
};

/** The server process that answered the connection, by its own word; a pooler makes a number up. */
const processOf = (client: pg.ClientBase): number | null =>
  (client as unknown as { readonly processID: number | null }).processID;

const findFault = (
  found: Found,
  wanted: SessionSettings,
  answeredBy: number | null,
): string | null => {
  if (found.server_process !== answeredBy || found.scope !== '')
    return (
      'A pooler stands before PostgreSQL, and could show the rows of one merchant to another. ' +
      'Connect to the server itself: each program pools its connections.'
    );
  if (found.role !== wanted.role)
    return `Statements would run as ${found.role} instead of ${wanted.role}: ${dropped}`;
  if (found.sees_all)
    return `The role ${found.role} sees all rows: take SUPERUSER and BYPASSRLS from it.`;
  const name = Object.keys(wanted).find(
    (each) => each !== 'role' && found.settings[each] !== wanted[each],
  );
  if (name === undefined) return null;
  return `The session has ${name} ${found.settings[name]} instead of ${wanted[name]}: ${dropped}`;
};

export const standbyFault =
  'The server is a standby or still recovers: it takes no writes before it is promoted.';

const dropped =
  'what stands before PostgreSQL must pass on the options of a connection, or be taken away.';

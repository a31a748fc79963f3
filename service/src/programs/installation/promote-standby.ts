import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { CommandProcess } from '#platform/command.ts';
import { listServers } from '#platform/database/find-primary.ts';
import { postgresUrl, readSecret } from '#platform/settings.ts';

const use = `Use: florin.mjs promote-standby

  After the primary is lost: promotes the standby that has received most, of the servers that
  ADMIN_DATABASE_URL (or ADMIN_DATABASE_URL_FILE) names: postgresql://postgres@one,other/postgres.
  Promotes none while one of them takes writes, or still receives from its primary.`;

const askWithinMs = 2_000;
const promoteWithinMs = 20_000;
const lookEveryMs = 250;
// A standby notices a killed primary at once, a lost machine after its wal_receiver_timeout.
const receivingEndsWithinMs = 10_000;

type Standby = {
  readonly url: string;
  readonly is_standby: boolean;
  readonly is_receiving: boolean;
  readonly waits_for: string;
  /** Bytes of log, from the beginning. */
  readonly received: bigint;
};

/** Two servers that take writes would each have money that the other knows nothing of. */
export const promoteStandby = async ({ settings, write }: CommandProcess): Promise<void> => {
  const given = readSecret(settings, 'ADMIN_DATABASE_URL');
  if (!given) throw new Error(use);
  const urls = listServers(postgresUrl(given));
  const best = await chooseStandby(urls);
  await query(best.url, `select pg_promote(true, ${promoteWithinMs / 1_000})`, promoteWithinMs);
  const [now] = await query<Standby>(best.url, readState);
  if (now?.is_standby !== false) throw new Error(`${hostOf(best.url)} was not promoted in time.`);
  if (now.waits_for !== '')
    await write(`Writes wait for a standby, since synchronous_standby_names is ${now.waits_for}. Without
one: alter system set synchronous_standby_names = ''; select pg_reload_conf();\n`);
  await write(`${hostOf(best.url)} takes writes now. Keep the server that was lost from starting: it
would take writes too. Make a standby of it anew. Then run "operator reconcile" and
"operator confirm-epoch": no transfer is sent before.\n`);
};

const chooseStandby = async (urls: readonly string[]): Promise<Standby> => {
  const endsAtMs = performance.now() + receivingEndsWithinMs;
  for (;;) {
    const found = (await Promise.all(urls.map(lookAt))).filter((each) => each !== null);
    const primary = found.find(({ is_standby }) => !is_standby);
    if (primary) throw new Error(`${hostOf(primary.url)} takes writes: nothing was promoted.`);
    const [best] = found.sort((one, other) => (one.received < other.received ? 1 : -1));
    if (!best) throw new Error('No server of ADMIN_DATABASE_URL answers: nothing was promoted.');
    const receiving = found.find(({ is_receiving }) => is_receiving);
    if (!receiving) return best;
    if (performance.now() > endsAtMs)
      throw new Error(
        `${hostOf(receiving.url)} still receives from its primary: nothing was promoted.`,
      );
    await sleep(lookEveryMs);
  }
};

const readState = `
  select pg_is_in_recovery() as is_standby,
    exists (select from pg_stat_wal_receiver where status = 'streaming') as is_receiving,
    current_setting('synchronous_standby_names') as waits_for,
    coalesce(pg_wal_lsn_diff(greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0'),
      0)::bigint::text as received`;

/** Null: it does not answer. */
const lookAt = async (url: string): Promise<Standby | null> => {
  const [found] = await query<Standby>(url, readState).catch((error: unknown) => {
    if ((error as { severity?: unknown }).severity) throw error;
    return [];
  });
  return found ? { ...found, url, received: BigInt(found.received) } : null;
};

const query = async <Row extends object>(
  url: string,
  text: string,
  withinMs = askWithinMs,
): Promise<Row[]> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: askWithinMs,
    query_timeout: withinMs + askWithinMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    void client.end().catch(() => undefined);
  }
};

const hostOf = (url: string): string => new URL(url).host;

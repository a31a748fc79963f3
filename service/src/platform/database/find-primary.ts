import pg from 'pg';

/** `postgresql://florin@one:5432,other:5432/florin` names several servers, of which one takes writes. */
export const listServers = (databaseUrl: string): readonly string[] => {
  const [, scheme = '', user = '', hosts = '', rest = ''] =
    /^(\w+:\/\/)([^@/?]*@)?([^/?]*)(.*)$/s.exec(databaseUrl) ?? [];
  return hosts.includes(',')
    ? hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`)
    : [databaseUrl];
};

const askWithinMs = 2_000;

/** Of the servers the one that takes writes, on the last timeline. A single one is not asked. */
export const findPrimary = async (databaseUrl: string): Promise<string> => {
  const urls = listServers(databaseUrl);
  const [first = databaseUrl] = urls;
  if (urls.length === 1) return first;
  const asked = await Promise.allSettled(urls.map(askTimeline));
  const faults: string[] = [];
  let found = { url: first, timeline: '' };
  for (const [at, answer] of asked.entries())
    if (answer.status === 'rejected') faults.push(answer.reason.message);
    // A primary that was lost and started again takes writes as well, and must not get them.
    else if (answer.value > found.timeline)
      found = { url: urls[at] ?? first, timeline: answer.value };
  if (found.timeline === '')
    throw new Error(`No server of DATABASE_URL takes writes: ${faults.join('; ')}`);
  return found.url;
};

const askSql = `select case when pg_is_in_recovery() then null
  else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;

/** Each promotion begins a higher one; eight digits, base 16. */
const askTimeline = async (url: string): Promise<string> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: askWithinMs,
    query_timeout: askWithinMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { timeline } = (await client.query(askSql)).rows[0];
    if (timeline === null) throw new Error('is a standby');
    return timeline;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${new URL(url).host} ${message || code}`);
  } finally {
    void client.end().catch(() => undefined);
  }
};

type Primary = {
  readonly url: () => string;
  /** After a connection failed: looks once for all who ask. True: another server is the one now. */
  readonly hasMoved: (from: string) => Promise<boolean>;
};

export const followPrimary = (databaseUrl: string, moved: (url: string) => void): Primary => {
  const servers = listServers(databaseUrl);
  let current = servers[0] ?? databaseUrl;
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    const found = await findPrimary(databaseUrl).catch(() => current);
    if (found === current) return;
    current = found;
    moved(found);
  };
  return {
    url: () => current,
    hasMoved: async (from) => {
      if (servers.length === 1) return false;
      if (from !== current) return true;
      looking ??= look().finally(() => {
        looking = null;
      });
      await looking;
      return from !== current;
    },
  };
};

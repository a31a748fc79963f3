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

/** The one of the servers that is no standby. A single one is not asked. */
export const findPrimary = async (databaseUrl: string): Promise<string> => {
  const [first = databaseUrl, ...others] = listServers(databaseUrl);
  if (others.length === 0) return first;
  try {
    return await Promise.any([first, ...others].map(requirePrimary));
  } catch (error) {
    const faults = (error as AggregateError).errors.map((each: Error) => each.message);
    throw new Error(`No server of DATABASE_URL takes writes: ${faults.join('; ')}`);
  }
};

const requirePrimary = async (url: string): Promise<string> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: askWithinMs,
    query_timeout: askWithinMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as is_standby');
    if (rows[0]?.is_standby) throw new Error('is a standby');
    return url;
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

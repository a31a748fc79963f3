import pg from 'pg';

// Ends all connections and refuses new ones until `reconnect`.
export const disconnectDatabase = async (databaseUrl: string) => {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ]);
  return {
    reconnect: async () => {
      await admin.query(`alter database ${name} allow_connections true`);
      await admin.end();
    },
  };
};

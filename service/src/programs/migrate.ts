import { readConfig } from '#platform/config.ts';
import { tryConnection } from '#platform/database/database-unavailable.ts';
import { migrate } from '#platform/database/migrate.ts';
import { namingDatabase } from './process/explain-failure.ts';
import { runProgram } from './process/stop-on-signal.ts';

/** Brings the operator's own database up to date: run it before new programs start. */
runProgram(async () => {
  const config = readConfig(process.env);
  const { databaseUrl } = config;
  if (!databaseUrl) throw new Error('DATABASE_URL is needed: the address of your PostgreSQL.');
  await namingDatabase(config, tryConnection(databaseUrl));
  const applied = await migrate(databaseUrl);
  process.stdout.write(`${applied.length} migrations applied\n`);
});

import { readConfig } from '#platform/config.ts';
import { migrate } from '#platform/database/migrate.ts';
import { runProgram } from './stop-on-signal.ts';

/** Brings the operator's own database up to date: run it before new programs start. */
runProgram(async () => {
  const { databaseUrl } = readConfig(process.env);
  if (!databaseUrl) throw new Error('DATABASE_URL is needed: the address of your PostgreSQL.');
  const applied = await migrate(databaseUrl);
  process.stdout.write(`${applied.length} migrations applied\n`);
});

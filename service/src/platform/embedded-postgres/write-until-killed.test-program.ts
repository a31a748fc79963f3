import pg from 'pg';
import { silentLog } from '../log.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';

/** Started by the tests as its own program, to be killed: prints each row once it is written. */
const [folder = '', packageFolder] = process.argv.slice(2);
const server = await startEmbeddedPostgres({ folder, packageFolder, log: silentLog });
process.stdout.write(`${JSON.stringify({ pid: server.pid })}\n`);
const client = new pg.Client({ connectionString: server.connectionString('postgres') });
client.on('error', () => undefined);
await client.connect();
await client.query('create table if not exists written (number int primary key)');
await client.query('truncate written');
for (let number = 1; number < 1_000_000; number += 1) {
  await client.query('insert into written values ($1) on conflict do nothing', [number]);
  process.stdout.write(`${number}\n`);
}

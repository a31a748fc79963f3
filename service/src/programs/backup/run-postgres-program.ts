import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { seesAll } from './count-tables.ts';

const longestReason = 1_000;

/** pg_dump or pg_restore, as the operator has it. The password is in no list of processes. */
export const runPostgresProgram = async (
  name: 'pg_dump' | 'pg_restore',
  databaseUrl: string,
  words: readonly string[],
): Promise<void> => {
  const address = new URL(databaseUrl);
  const password = decodeURIComponent(address.password);
  address.password = '';
  const child = spawn(name, [`--dbname=${address.href}`, ...words], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      ...process.env,
      PGOPTIONS: seesAll,
      ...(password === '' ? {} : { PGPASSWORD: password }),
    },
  });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said = `${said}${bytes}`.slice(0, longestReason);
  });
  const [code] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(
      `${name} is not on the PATH: install the client programs of your PostgreSQL, in its version ` +
        'or a newer one.',
    );
  })) as [number | null];
  if (code !== 0) throw new Error(`${name} failed: ${said.trim()}`);
};

import { type CommandProcess, Misuse } from '#platform/command.ts';
import { readConfig } from '#platform/config.ts';
import { findPrimary } from '#platform/database/find-primary.ts';
import { explaining } from '../commands/run-command.ts';
import { drillBackup } from './drill-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const use = `Use: npm run backup -- <what>, with DATABASE_URL of the role that owns the tables

  write <file>     all data of the installation, by pg_dump; what it holds stands in <file>.json
  restore <file>   into DATABASE_URL, a database without the schema florin
  drill <file>     restores it into a database of its own beside DATABASE_URL, verifies rows, books, audit
                   records and the master key, and drops it: run it after each backup`;

const commands = { write: writeBackup, restore: restoreBackup, drill: drillBackup };

const isCommand = (word: string): word is keyof typeof commands => Object.hasOwn(commands, word);

/** A backup by the owner of the tables, who need not be a superuser. */
export const keepBackup = async (
  [what = '', file = '', ...more]: readonly string[],
  process: CommandProcess,
): Promise<void> => {
  const run = async (): Promise<string> => {
    if (!isCommand(what) || file === '' || more.length > 0) throw new Misuse();
    const { databaseUrl } = readConfig(process.settings);
    if (!databaseUrl) throw new Error('DATABASE_URL is needed: the address of your PostgreSQL.');
    return commands[what](process, await findPrimary(databaseUrl), file);
  };
  await process.write(`${await run().catch(explaining(use))}\n`);
};

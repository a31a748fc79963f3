import { verifyChain } from '#modules/audit/index.ts';
import { verifyBooks } from '#modules/ledger/index.ts';
import type { CommandProcess } from '#platform/command.ts';
import { storedPurposeKeys } from '#platform/secrets/stored-purpose-keys.ts';
import { withCommandTools } from '../commands/run-command.ts';
import { restoreInto, withClient } from './restore-backup.ts';

/** Whether a backup can be restored, and what it takes. The database of DATABASE_URL is not touched. */
export const drillBackup = async (
  process: CommandProcess,
  databaseUrl: string,
  file: string,
): Promise<string> => {
  const name = `florin_drill_${Date.now()}`;
  const address = new URL(databaseUrl);
  address.pathname = `/${name}`;
  await withClient(databaseUrl, (client) => client.query(`create database ${name}`));
  try {
    const startedAt = performance.now();
    const { madeAt, restored } = await restoreInto(address.href, file);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const proven = await prove(process, address.href);
    return `${restored}, as of ${madeAt}, restored in ${seconds} s\n${proven.join('\n')}`;
  } finally {
    await withClient(databaseUrl, (client) =>
      client.query(`drop database if exists ${name} with (force)`),
    );
  }
};

const prove = async (process: CommandProcess, databaseUrl: string): Promise<readonly string[]> => {
  const proven: string[] = [];
  const settings = { ...process.settings, DATABASE_URL: databaseUrl };
  await withCommandTools({ ...process, settings }, 'drill', async (tools) => {
    const secrets = await storedPurposeKeys(tools, tools.secrets);
    proven.push('the master key decrypts its secrets');
    const books = await verifyBooks(tools);
    if (!books.isBalanced) throw new Error(`The books of the backup: ${JSON.stringify(books)}`);
    proven.push('its books balance');
    const { broken, records } = await verifyChain({ ...tools, secrets }, []);
    if (broken) throw new Error(`BROKEN at record ${broken.position}: ${broken.reason}.`);
    proven.push(`its ${records} audit records are whole`);
  });
  return proven;
};

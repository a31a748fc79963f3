import { randomIds, systemClock } from '#platform/clock.ts';
import type { CommandProcess } from '#platform/command.ts';
import { readConfig } from '#platform/config.ts';
import { silentLog } from '#platform/log.ts';
import { readSettingsFile, registerAtBank } from '#rails/open-banking-uk/index.ts';
import { bankReturnAddresses } from '../wiring/bank-return-addresses.ts';
import { productionSource } from '../wiring/production-bank-rail.ts';

const use = `Use: npm run register-at-bank -- <bank id> [again]

  Registers the firm of PRODUCTION_BANK_RAIL at a bank that has dynamic client registration, by its
  softwareStatementFile, and stores the client id beside the file. PUBLIC_URL must be the address that
  payers see: it is registered as the way back. A bank where the firm is registered already is left
  alone, unless the word again is given: then it makes another client.`;

/** Needs no person at the bank, and no restart here. */
export const registerFirm = async (
  [bankId = '', word]: readonly string[],
  { settings, write }: CommandProcess,
): Promise<void> => {
  if (bankId === '' || (word !== undefined && word !== 'again')) throw new Error(use);
  const config = readConfig(settings);
  if (config.publicUrl === null)
    throw new Error('PUBLIC_URL is needed: banks return payers to it.');
  const source = productionSource(config, ...bankReturnAddresses(config.publicUrl));
  if (!source) throw new Error('PRODUCTION_BANK_RAIL is not set: it names the file of your banks.');
  const tools = { clock: systemClock, ids: randomIds(), log: silentLog };
  const stored = await registerAtBank(readSettingsFile(source), tools, {
    bankId,
    settingsPath: source.path,
    mayRepeat: word === 'again',
  });
  await write(`${stored.clientId} is our client id at ${bankId}, stored in ${stored.path}\n`);
};

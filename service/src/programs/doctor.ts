import { join } from 'node:path';
import { randomIds, systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { silentLog } from '#platform/log.ts';
import { bankEventsPath } from '#rails/bank-rail.ts';
import {
  diagnoseBanks,
  type Finding,
  type OpenBankingSettings,
  readRegistration,
  readSettingsFile,
} from '#rails/open-banking-uk/index.ts';
import { diagnoseOrigin } from './commands/diagnose-origin.ts';
import { commandProcess } from './process/command-process.ts';
import { runProgram } from './process/stop-on-signal.ts';
import { bankReturnAddresses } from './wiring/bank-return-addresses.ts';
import { productionSource } from './wiring/production-bank-rail.ts';
import { simulatorFolder } from './wiring/simulator-folder.ts';

const use = `Use: npm run doctor -- banks [production|sandbox] [bank id …]
     npm run doctor -- origin <origin of a page>

  Checks the certificates and keys of PRODUCTION_BANK_RAIL, and at each enabled bank, or at those
  that are named, its address, its clock, its keys, whether it gives a token and where it sends its
  notifications. Of a page that calls Florin: which merchants list its origin. It starts and
  changes nothing.`;

const signs = { OK: 'ok     ', WARNING: 'WARNING', FAULT: 'FAULT  ' } as const;

const lineOf = ({ subject, check, level, detail, fix }: Finding): string =>
  `${signs[level]}  ${subject}  ${check}: ${detail}${fix ? `\n         -> ${fix}` : ''}`;

const readSettings = (environment: string, config: Config): OpenBankingSettings => {
  const [redirectUri, accountRedirectUri] = bankReturnAddresses(config.publicUrl ?? defaultUrl);
  if (environment === 'sandbox') {
    const folder = config.simulatorTrustFolder ?? join(simulatorFolder(config.dataFolder), 'trust');
    return readRegistration(folder, redirectUri, accountRedirectUri);
  }
  const source = productionSource(config, redirectUri, accountRedirectUri);
  if (!source) throw new Error('PRODUCTION_BANK_RAIL is not set: it names the file of your banks.');
  return readSettingsFile(source);
};

const defaultUrl = 'http://127.0.0.1';

/** Says what is wrong with the operator's banks before a payer finds out. */
runProgram(async () => {
  const [what = '', ...words] = process.argv.slice(2);
  if (what === 'origin') return diagnoseOrigin(words, commandProcess());
  if (what !== 'banks') throw new Error(use);
  const isNamed = words[0] === 'production' || words[0] === 'sandbox';
  const environment = isNamed ? words[0] : 'production';
  const ids = isNamed ? words.slice(1) : words;
  const config = readConfig(process.env);
  const settings = readSettings(environment ?? 'production', config);
  const banks = settings.banks.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const unknown = ids.filter((id) => !banks.some((bank) => bank.id === id));
  if (unknown.length > 0) throw new Error(`No bank has the id ${unknown.join(', ')}.`);
  const tools = { clock: systemClock, ids: randomIds(), log: silentLog };
  const { publicUrl } = config;
  const eventsBaseUrl = publicUrl && `${publicUrl}${bankEventsPath}/${environment}`;
  const findings = await diagnoseBanks(
    { ...settings, banks },
    tools,
    eventsBaseUrl,
    ids.length > 0,
  );
  process.stdout.write(`${findings.map(lineOf).join('\n')}\n`);
  const faults = findings.filter(({ level }) => level === 'FAULT').length;
  const warnings = findings.filter(({ level }) => level === 'WARNING').length;
  process.stdout.write(`${faults} faults, ${warnings} warnings\n`);
  if (faults > 0) process.exitCode = 1;
});

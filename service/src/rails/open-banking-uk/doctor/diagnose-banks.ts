import { openBank, openConnector } from '../bank/bank.ts';
import {
  checkSettings,
  type OpenBankingSettings,
  type OpenBankingTools,
} from '../settings/settings.ts';
import { checkBank } from './check-bank.ts';
import { checkClientKeys } from './check-client.ts';
import type { Finding } from './finding.ts';

const maxConcurrentBanks = 8;

/** Everything that a firm's registration at its banks needs (BANK-17). It changes nothing. */
export const diagnoseBanks = async (
  settings: OpenBankingSettings,
  tools: OpenBankingTools,
  eventsBaseUrl: string | null = null,
  /** A bank that is named is checked before it is enabled. */
  areNamed = false,
): Promise<readonly Finding[]> => {
  const { client, banks } = settings;
  const wrongSettings = checkSettings(settings);
  if (wrongSettings.length > 0) return wrongSettings.map(settingFault);
  const connector = openConnector(settings, tools);
  const waiting = banks.filter(({ isEnabled }) => isEnabled || areNamed);
  const findings: (readonly Finding[])[] = [];
  const work = async (): Promise<void> => {
    for (let profile = waiting.shift(); profile; profile = waiting.shift())
      findings.push(await checkBank(openBank(profile, connector), eventsBaseUrl));
  };
  try {
    await Promise.all(Array.from({ length: maxConcurrentBanks }, work));
  } finally {
    await connector.transport.close();
  }
  const byBank = findings.flat().sort((one, other) => (one.subject < other.subject ? -1 : 1));
  return [...checkClientKeys(client, tools.clock.now()), ...byBank];
};

const settingFault = (detail: string): Finding => ({
  subject: 'settings',
  check: 'settings',
  level: 'FAULT',
  detail,
});

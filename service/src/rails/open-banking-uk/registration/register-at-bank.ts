import { openClientKeys } from '../bank/client-keys.ts';
import { openTransport } from '../bank/transport.ts';
import { openBank } from '../open-bank.ts';
import type { OpenBankingSettings, OpenBankingTools } from '../settings/settings.ts';
import { defaultTimeouts } from '../settings/settings.ts';
import { writeRegistrationOf } from './read-registrations.ts';
import { registerClient } from './register-client.ts';

type Requested = {
  readonly bankId: string;
  /** The operator's file: the client id is stored beside it. */
  readonly settingsPath: string;
  readonly mayRepeat: boolean;
};

/** Registers the firm at one bank and stores what the bank gave (BANK-21). Throws one sentence. */
export const registerAtBank = async (
  { client, banks, timeouts = defaultTimeouts }: OpenBankingSettings,
  tools: OpenBankingTools,
  { bankId, settingsPath, mayRepeat }: Requested,
): Promise<{ readonly clientId: string; readonly path: string }> => {
  const profile = banks.find(({ id }) => id === bankId);
  if (!profile) throw new Error(`No bank of the file has the id ${bankId}.`);
  if (profile.clientId && !mayRepeat)
    throw new Error(`${bankId} has the client id ${profile.clientId} already.`);
  const { softwareStatement } = client;
  if (!softwareStatement)
    throw new Error('client.softwareStatementFile is missing: download it from the directory.');
  const transport = openTransport(client, timeouts);
  const clientKeys = openClientKeys(client);
  const bank = openBank(
    { ...profile, ...notRegistered },
    { client, clientKeys, tools, transport, timeouts },
  );
  try {
    const registered = await registerClient(bank, softwareStatement.trim());
    const path = writeRegistrationOf(settingsPath, bankId, registered);
    return { clientId: registered.clientId, path };
  } finally {
    await transport.close();
  }
};

// A registration needs neither; the library that reads the bank's addresses does.
const notRegistered = { clientId: 'not-registered', clientSecret: 'not-registered' };

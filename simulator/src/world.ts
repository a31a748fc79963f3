import { randomUUID } from 'node:crypto';
import { banks as profiles } from './bank/banks.ts';
import { loadOidcProvider } from './bank/oidc/load-provider.ts';
import { openBanks } from './bank/open-banks.ts';
import type { BankTools, Clock } from './bank/ports.ts';
import { type Addresses, addressesAt } from './bank/wire/addresses.ts';
import { bankStore } from './books/bank-store.ts';
import { faultStore } from './books/fault-store.ts';
import { openBooks } from './books/open-books.ts';
import { answerOnce } from './channels/answer-once.ts';
import { backHandler, frontHandler } from './channels/channel-handlers.ts';
import { openBackDoor, openFrontDoor } from './channels/door.ts';
import { frontPages } from './channels/front-pages.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import { type Credentials, openCredentials, serverHostsOf } from './trust/credentials.ts';
import { writeRegistration } from './trust/registration.ts';

export interface World {
  readonly url: string;
  readonly backUrl: string;
  readonly trustFolder: string;
  stop(): Promise<void>;
}

export async function openWorld(settings: Settings, clock: Clock, log: Log): Promise<World> {
  const { host, trustFolder, redirectUris } = settings;
  const books = openBooks(settings.databaseUrl, clock, log);
  const [credentials] = await Promise.all([openTrust(settings, clock), loadOidcProvider()]);
  const front = await openFrontDoor(host, settings.port);
  const back = await openBackDoor(credentials, host, settings.mtlsPort);
  const addresses = addressesOf(settings, front.port, back.port);
  await writeRegistration(trustFolder, credentials, profiles, addresses);
  await books.ready;

  const { pool } = books;
  const tools: BankTools = { store: bankStore(pool), clock, random: { id: randomUUID } };
  const banks = await openBanks({ credentials, addresses, redirectUris, pool, tools, log });
  const channel = { banks, addresses, faults: faultStore(pool), log, answerOnce: answerOnce() };
  const control = { token: credentials.identity.controlToken, pool, clock };
  const pages = await frontPages({ banks, control, log });
  front.lead(frontHandler(channel, pages));
  back.lead(backHandler(channel, randomUUID));
  return {
    url: addresses.frontUrl,
    backUrl: addresses.backUrl,
    trustFolder,
    stop: async () => {
      await Promise.all([front.close(), back.close()]);
      await books.close();
    },
  };
}

function openTrust(settings: Settings, clock: Clock): Promise<Credentials> {
  return openCredentials({
    folder: settings.trustFolder,
    bankIds: profiles.map((bank) => bank.id),
    serverHosts: serverHostsOf(settings.host, settings.backUrl),
    now: clock.now(),
  });
}

function addressesOf(settings: Settings, frontPort: number, backPort: number): Addresses {
  const everywhere = /^(0\.0\.0\.0|::)$/.test(settings.host);
  const host = everywhere ? '127.0.0.1' : settings.host;
  return addressesAt(
    settings.url ?? `http://${host}:${frontPort}`,
    settings.backUrl ?? `https://localhost:${backPort}`,
  );
}

import { randomUUID } from 'node:crypto';
import { banks as profiles } from './bank/banks.ts';
import { loadOidcProvider } from './bank/oidc/load-provider.ts';
import { openBanks } from './bank/open-banks.ts';
import type { BankTools, Clock } from './bank/ports.ts';
import { type Addresses, addressesAt } from './bank/wire/addresses.ts';
import { bankStore } from './books/bank-store.ts';
import { faultStore } from './books/fault-store.ts';
import { openBooks } from './books/open-books.ts';
import { openCards } from './cards/open-cards.ts';
import { openCardSecrets } from './cards/secrets.ts';
import { answerOnce } from './channels/answer-once.ts';
import { backHandler, frontHandler } from './channels/channel-handlers.ts';
import { openBackDoor, openFrontDoor, openKeptDoor } from './channels/door.ts';
import { frontPages } from './channels/front-pages.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import { openTransferHub, openTransferSecret } from './transfers/open-transfer-hub.ts';
import { type Credentials, openCredentials, serverHostsOf } from './trust/credentials.ts';
import { cardsPortBefore, writeRegistration } from './trust/registration.ts';

export type World = {
  readonly url: string;
  readonly backUrl: string;
  readonly cardsUrl: string;
  readonly trustFolder: string;
  stop(): Promise<void>;
};

export const openWorld = async (settings: Settings, clock: Clock, log: Log): Promise<World> => {
  const { host, trustFolder, redirectUris } = settings;
  const books = openBooks(settings.databaseUrl, clock, log);
  const [credentials] = await Promise.all([openTrust(settings, clock), loadOidcProvider()]);
  const front = await openFrontDoor(host, settings.port);
  const back = await openBackDoor(credentials, host, settings.mtlsPort);
  const addresses = addressesOf(settings, front.port, back.port);
  const cardsDoor = await openKeptDoor(
    host,
    settings.cardsPort,
    await cardsPortBefore(trustFolder),
  );
  const cardsUrl = settings.cardsUrl ?? `http://${reachable(host)}:${cardsDoor.port}`;
  const secrets = await openCardSecrets(trustFolder);
  const registered = { apiUrl: cardsUrl, ...secrets };
  const transferSecret = await openTransferSecret(trustFolder);
  const transfers = { url: `${addresses.frontUrl}/transfers`, secret: transferSecret };
  const programs = { cards: registered, transfers };
  await writeRegistration(trustFolder, credentials, profiles, addresses, programs);
  await books.ready;

  const { pool } = books;
  const tools: BankTools = { store: bankStore(pool), clock, random: { id: randomUUID } };
  const banks = await openBanks({ credentials, addresses, redirectUris, pool, tools, log });
  const channel = { banks, addresses, faults: faultStore(pool), log, answerOnce: answerOnce() };
  const control = { token: credentials.identity.controlToken, pool, clock };
  const { frontUrl } = addresses;
  const webhookUrls = settings.cardsWebhookUrls;
  const cards = await openCards({ pool, clock, log, secrets, frontUrl, webhookUrls });
  const hubTools = { pool, clock, random: tools.random };
  const hub = openTransferHub(hubTools, transferSecret);
  const pages = await frontPages({ banks, control, log, cards, hub });
  front.lead(frontHandler(channel, pages));
  back.lead(backHandler(channel, randomUUID));
  cardsDoor.lead(cards.api.routing);
  return {
    url: addresses.frontUrl,
    backUrl: addresses.backUrl,
    cardsUrl,
    trustFolder,
    stop: async () => {
      await Promise.all([front.close(), back.close(), cardsDoor.close(), cards.stop()]);
      await books.close();
    },
  };
};

const openTrust = (settings: Settings, clock: Clock): Promise<Credentials> =>
  openCredentials({
    folder: settings.trustFolder,
    bankIds: profiles.map((bank) => bank.id),
    serverHosts: serverHostsOf(settings.host, settings.backUrl),
    now: clock.now(),
  });

const addressesOf = (settings: Settings, frontPort: number, backPort: number): Addresses =>
  addressesAt(
    settings.url ?? `http://${reachable(settings.host)}:${frontPort}`,
    settings.backUrl ?? `https://localhost:${backPort}`,
  );

const reachable = (host: string): string => (/^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host);

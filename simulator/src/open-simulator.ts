import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type BankProfile, listBanks } from './bank/banks.ts';
import { loadOidcProvider } from './bank/oidc/load-oidc-provider.ts';
import { openBanks } from './bank/open-banks.ts';
import type { BankTools, Clock } from './bank/ports.ts';
import { startNotifications } from './bank/start-notifications.ts';
import { type Addresses, addressesAt } from './bank/wire/addresses.ts';
import { openCardSecrets } from './cards/open-card-secrets.ts';
import { openCards } from './cards/open-cards.ts';
import { answerOnce } from './channels/answer-once.ts';
import {
  openBackServer,
  openFrontServer,
  openServerAtLastPort,
} from './channels/channel-server.ts';
import { frontPages } from './channels/front-pages.ts';
import { backChannelHandler, frontChannelHandler } from './channels/serve-bank.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import { bankStore } from './store/bank-store.ts';
import { faultStore } from './store/fault-store.ts';
import { notificationStore } from './store/notification-store.ts';
import { openDatabase } from './store/open-database.ts';
import { openTransferHub, openTransferSecrets } from './transfers/open-transfer-hub.ts';
import {
  type Credentials,
  openCredentials,
  serverHostsOf,
  writePrivateFile,
} from './trust/credentials.ts';
import { issueSoftwareStatement } from './trust/software-statement.ts';
import { cardsPortBefore, writeRegistration } from './trust/write-registration.ts';

export type Simulator = {
  readonly url: string;
  readonly backUrl: string;
  readonly cardsUrl: string;
  readonly trustFolder: string;
  stop(): Promise<void>;
};

export const openSimulator = async (
  settings: Settings,
  clock: Clock,
  log: Log,
): Promise<Simulator> => {
  const { host, trustFolder, redirectUris } = settings;
  const database = openDatabase(settings.databaseUrl, clock, log);
  const profiles = await listBanks(settings.banksFile);
  const trust = openTrust(settings, profiles, clock);
  const [credentials] = await Promise.all([trust, loadOidcProvider()]);
  const front = await openFrontServer(host, settings.port);
  const back = await openBackServer(credentials, host, settings.mtlsPort);
  const addresses = addressesOf(settings, front.port, back.port);
  const cardsServer = await openServerAtLastPort(
    host,
    settings.cardsPort,
    await cardsPortBefore(trustFolder),
  );
  const cardsUrl = settings.cardsUrl ?? `http://${reachable(host)}:${cardsServer.port}`;
  const secrets = await openCardSecrets(trustFolder);
  const registered = { apiUrl: cardsUrl, ...secrets };
  const transferSecrets = await openTransferSecrets(trustFolder);
  const transfers = { url: `${addresses.frontUrl}/transfers`, ...transferSecrets };
  const programs = { cards: registered, transfers };
  await writePrivateFile(
    join(trustFolder, 'software-statement.jwt'),
    await issueSoftwareStatement(credentials, redirectUris, clock.now()),
  );
  await writeRegistration(trustFolder, credentials, profiles, addresses, programs);
  await database.ready;

  const { pool } = database;
  const tools: BankTools = { store: bankStore(pool), clock, random: { id: randomUUID } };
  const banks = await openBanks(profiles, {
    credentials,
    addresses,
    redirectUris,
    pool,
    tools,
    log,
  });
  const outbox = notificationStore(pool);
  const notifications = startNotifications({ banks, addresses, outbox, clock, log });
  const channel = { banks, addresses, faults: faultStore(pool), log, answerOnce: answerOnce() };
  const control = { token: credentials.identity.controlToken, pool, clock };
  const { frontUrl } = addresses;
  const webhookUrls = settings.cardsWebhookUrls;
  const cards = await openCards({ pool, clock, log, secrets, frontUrl, webhookUrls });
  const hubTools = { pool, clock, random: tools.random };
  const { autoCustomer, noticeUrl } = settings;
  const hub = openTransferHub({ tools: hubTools, secrets: transferSecrets, noticeUrl, log });
  const pages = await frontPages({ banks, control, log, cards, hub, autoCustomer });
  front.handle(frontChannelHandler(channel, pages));
  back.handle(backChannelHandler(channel, randomUUID));
  cardsServer.handle(cards.api.routing);
  return {
    url: addresses.frontUrl,
    backUrl: addresses.backUrl,
    cardsUrl,
    trustFolder,
    stop: async () => {
      const servers = [front.close(), back.close(), cardsServer.close()];
      await Promise.all([...servers, cards.stop(), hub.stop(), notifications.stop()]);
      await database.close();
    },
  };
};

const openTrust = (
  settings: Settings,
  profiles: readonly BankProfile[],
  clock: Clock,
): Promise<Credentials> =>
  openCredentials({
    folder: settings.trustFolder,
    bankKeys: new Map(profiles.map(({ id, signsWith = id }) => [id, signsWith])),
    serverHosts: serverHostsOf(settings.host, settings.backUrl),
    now: clock.now(),
    ...authorityOf(settings),
  });

const authorityOf = ({ authorityCertificateFile, authorityKeyFile }: Settings) =>
  authorityCertificateFile !== undefined && authorityKeyFile !== undefined
    ? { authority: { certificateFile: authorityCertificateFile, keyFile: authorityKeyFile } }
    : {};

const addressesOf = (settings: Settings, frontPort: number, backPort: number): Addresses =>
  addressesAt(
    settings.url ?? `http://${reachable(settings.host)}:${frontPort}`,
    settings.backUrl ?? `https://localhost:${backPort}`,
  );

const reachable = (host: string): string => (/^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host);

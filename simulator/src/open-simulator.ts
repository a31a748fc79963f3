import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type BankTools, bankStore } from './bank/bank.ts';
import { listBanks } from './bank/banks.ts';
import { openOidcRecords } from './bank/oidc/oidc-records.ts';
import { bankOpener } from './bank/open-banks.ts';
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
import { limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import { startRepeats } from './start-repeats.ts';
import { countEntries } from './store/accounts.ts';
import { type Database, openDatabase } from './store/database.ts';
import { faultStore } from './store/faults.ts';
import { notificationStore } from './store/notifications.ts';
import type { Clock } from './system-clock.ts';
import { openTransferHub, openTransferSecrets } from './transfers/open-transfer-hub.ts';
import { openCredentials, serverHostsOf, writePrivateFile } from './trust/credentials.ts';
import { issueSoftwareStatement } from './trust/software-statement.ts';
import { cardsPortBefore, writeRegistration } from './trust/write-registration.ts';

export type Simulator = Awaited<ReturnType<typeof openSimulator>>;

export const openSimulator = async (settings: Settings, clock: Clock, log: Log) => {
  const { host, trustFolder, redirectUris, settlesByMs } = settings;
  const database = openDatabase(settings.databaseUrl, log);
  const profiles = await listBanks(settings.banksFile);
  const credentials = await openCredentials({
    folder: trustFolder,
    serverHosts: serverHostsOf(host, settings.backUrl),
    now: clock.now(),
    ...keysOf(settings),
  });
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
  const transferSecrets = await openTransferSecrets(trustFolder);
  const transfers = { url: `${addresses.frontUrl}/transfers`, ...transferSecrets };
  const programs = { cards: { apiUrl: cardsUrl, ...secrets }, transfers };
  await writePrivateFile(
    join(trustFolder, 'software-statement.jwt'),
    await issueSoftwareStatement(credentials, redirectUris, clock.now()),
  );
  await writeRegistration(trustFolder, credentials, profiles, addresses, programs);
  await database.ready;

  const shared = { clock, random: { id: randomUUID }, settlesByMs };
  const oidcRecords = openOidcRecords(join(trustFolder, 'private', 'authorisations.jsonl'), clock);
  const tools: BankTools = { store: bankStore(database), oidcRecords, ...shared };
  const openBank = bankOpener({ profiles, credentials, addresses, redirectUris, tools, log });
  const outbox = notificationStore(database);
  const notifications = startNotifications({ openBank, addresses, outbox, clock, log });
  const sweeping = startRepeats([{ work: () => sweep(database, tools) }], log);
  const faults = faultStore(database);
  const channel = { openBank, addresses, faults, log, answerOnce: answerOnce() };
  const token = credentials.identity.controlToken;
  const control = { token, database, store: tools.store, oidcRecords, faults, clock };
  const { frontUrl } = addresses;
  const webhookUrls = settings.cardsWebhookUrls;
  const cards = await openCards({ database, faults, clock, log, secrets, frontUrl, webhookUrls });
  const hubTools = { database, faults, ...shared };
  const { autoCustomer, noticeUrl } = settings;
  const hub = openTransferHub({ tools: hubTools, secrets: transferSecrets, noticeUrl, log });
  const pages = await frontPages({ profiles, openBank, control, log, cards, hub, autoCustomer });
  front.handle(frontChannelHandler(channel, pages));
  back.handle(backChannelHandler(channel, randomUUID));
  cardsServer.handle(cards.api.routing);
  return {
    url: addresses.frontUrl,
    backUrl: addresses.backUrl,
    cardsUrl,
    trustFolder,
    stop: async (): Promise<void> => {
      const servers = [front.close(), back.close(), cardsServer.close()];
      const work = [cards, hub, notifications, sweeping].map((each) => each.stop());
      await Promise.all([...servers, ...work]);
      oidcRecords.close();
      await database.close();
    },
  };
};

// An idempotency key counts until it is swept, at the latest a minute after its 24 hours.
const sweep = async (database: Database, { oidcRecords, clock }: BankTools): Promise<number> => {
  const now = clock.now();
  oidcRecords.sweep();
  await countEntries(database, now);
  await database.change(
    'delete from simulator.idempotency_key where created_at < $1',
    new Date(now - limits.idempotencyKeyMs),
  );
  await database.change('delete from simulator.fault where remaining = 0');
  return limits.sweepIntervalMs;
};

const keysOf = ({ authorityCertificateFile, authorityKeyFile, clientKey }: Settings) =>
  authorityCertificateFile !== undefined && authorityKeyFile !== undefined
    ? {
        clientKey,
        authority: { certificateFile: authorityCertificateFile, keyFile: authorityKeyFile },
      }
    : { clientKey };

const addressesOf = (settings: Settings, frontPort: number, backPort: number): Addresses =>
  addressesAt(
    settings.url ?? `http://${reachable(settings.host)}:${frontPort}`,
    settings.backUrl ?? `https://localhost:${backPort}`,
  );

const reachable = (host: string): string => (/^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host);

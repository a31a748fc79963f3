import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import {
  createWebhookEndpoint,
  openWebhookNetwork,
  startDispatcher,
} from '../../service/src/modules/webhooks/index.ts';
import { randomIds, systemClock } from '../../service/src/platform/clock.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import { migrate } from '../../service/src/platform/database/migrate.ts';
import { openDatabase } from '../../service/src/platform/database/open-database.ts';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { openSecrets } from '../../service/src/platform/secrets/open-secrets.ts';
import { findDatabaseTraces } from '../harness/card-traces/find-database-traces.ts';
import { requireNoTraces } from '../harness/card-traces/require-no-traces.ts';
import { startTestPostgres } from '../harness/database/start-test-postgres.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { draftOf, emit } from './emit.ts';

const rounds = [1, 2];
const awayMs = 700;
const leaseMs = 1_500;

const openDatabases = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-crash-'));
  const start = () => startTestPostgres({ folder, log: silentLog });
  let server = await start();
  await ensureDatabase(server.connectionString('postgres'), 'florin');
  const url = server.connectionString('florin');
  await migrate(url);
  const connections = {
    tenantConnections: 3,
    systemConnections: 6,
    applicationName: 'florin-test',
  };
  const database = openDatabase({ connectionString: url, ...connections }, silentLog);
  const config = readConfig({});
  const ids = randomIds();
  const secrets = openSecrets([ids.bytes(32)]);
  const tools = {
    database,
    clock: systemClock,
    ids,
    secrets,
    log: silentLog,
    config,
    webhookNetwork: openWebhookNetwork(config),
  };
  return {
    tools,
    connect: async () => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    /** The whole server ends like this, stays down for a moment, and restarts on its files. */
    restart: async (signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => {
      process.kill(server.pid, signal);
      await server.exited;
      await sleep(awayMs);
      server = await start();
      expect(server.connectionString('florin')).toBe(url);
    },
    close: async () => {
      await database.close();
      await tools.webhookNetwork.close();
      const found = await findDatabaseTraces(url);
      await server.stop();
      await discardFolder(folder);
      requireNoTraces(found);
    },
  };
};

type Opened = Awaited<ReturnType<typeof openDatabases>>;

/**
 * SIGKILL of one server process: PostgreSQL ends every session, recovers from its log, restarts.
 */
const crash = async ({ connect }: Opened): Promise<void> => {
  const client = await connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  process.kill(rows[0].pid, 'SIGKILL');
  await client.end().catch(() => undefined);
};

const endAllSessions = async ({ connect }: Opened): Promise<void> => {
  const client = await connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid <> pg_backend_pid() and datname is not null`,
  );
  await client.end();
};

/** Emits and delivers without a pause while each harm is done; nothing that was committed is lost. */
const deliverThrough = async (harms: readonly ((opened: Opened) => Promise<void>)[]) => {
  const opened = await openDatabases();
  const receiver = await openReceiver();
  const { tools } = opened;
  const { merchantId } = await createMerchant(tools, {
    businessName: 'Crash Coffee',
    bankAccounts: testBankAccounts,
  });
  const tenant = { merchantId, environment: 'SANDBOX' } as const;
  const endpoint = { url: receiver.url, events: ['PAYMENTS_STATUS' as const] };
  await createWebhookEndpoint(tools, tenant, endpoint);
  const dispatcher = startDispatcher(tools, { webhookNetwork: tools.webhookNetwork, leaseMs });
  const acknowledged = new Set<string>();
  let isEmitting = true;
  const emitting = (async () => {
    while (isEmitting) {
      const drafts = Array.from({ length: 5 }, () => draftOf());
      const isDone = await emit(tools.database, tenant, drafts).then(
        () => true,
        () => false,
      );
      if (isDone) for (const { eventId } of drafts) acknowledged.add(eventId);
      await sleep(5);
    }
  })();
  const received = () => new Set(receiver.received.map((one) => one.headers['x-service-event-id']));
  const goesOn = async () => {
    const before = receiver.received.length;
    await waitUntil(() => receiver.received.length > before + 20, { withinMs: 30_000 });
  };
  await goesOn();
  for (const harm of harms) {
    await harm(opened);
    await goesOn();
  }
  isEmitting = false;
  await emitting;
  const missing = () => {
    const seen = received();
    return [...acknowledged].filter((id) => !seen.has(id));
  };
  await waitUntil(() => missing().length === 0, { withinMs: 30_000 });
  expect(acknowledged.size).toBeGreaterThan(100);
  await dispatcher.stop();
  await receiver.close();
  await opened.close();
};

const patiently = (harm: (opened: Opened) => Promise<void>) => (opened: Opened) =>
  waitUntil(async () => {
    await harm(opened);
    return true;
  }).then(() => undefined);

test('webhooks #2: deliveries continue by themselves after every session or the database crashed', () => {
  const restart = (opened: Opened) => opened.restart('SIGKILL');
  const harms = rounds.flatMap(() => [crash, endAllSessions].map(patiently));
  return deliverThrough([...harms, restart]);
}, 120_000);

const endings = [
  ['killed', 'SIGKILL'],
  ['stopped cleanly', 'SIGINT'],
  ['stopped at once', 'SIGQUIT'],
] as const;

test.each(endings)(
  'webhooks #2: nothing is lost when PostgreSQL is %s and restarted under load',
  (_, signal) => deliverThrough(rounds.map(() => (opened: Opened) => opened.restart(signal))),
  120_000,
);

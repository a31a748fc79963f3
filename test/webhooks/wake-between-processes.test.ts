import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantRoutes } from '../../service/src/modules/webhooks/index.ts';
import { notifyWakes } from '../../service/src/platform/database/wakes.ts';
import { openSecrets } from '../../service/src/platform/secrets/open-secrets.ts';
import { openReceiver, type Receiver } from '../harness/open-receiver.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type DispatcherProcess, startDispatcherProcess } from './dispatcher-process.ts';
import { emitMany } from './emit.ts';

const masterKey = Buffer.alloc(32, 9);
/** It would not poll by itself during this test: only a wake makes it deliver. */
const lookEveryMs = 600_000;

let service: TestService;
let receiver: Receiver;
let admin: pg.Client;
let worker: DispatcherProcess;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await openTestService({
    routes: (tools) => merchantRoutes(tools),
    tools: { secrets: openSecrets([masterKey]) },
  });
  admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  const { databaseUrl } = service;
  worker = await startDispatcherProcess({ databaseUrl, masterKey, leaseMs: 20_000, lookEveryMs });
});
afterAll(async () => {
  await worker.kill('SIGTERM');
  await admin.end();
  await service.close();
  await receiver.close();
});

/** The backend of the listening connection; none while it is being opened. */
const listeners = async (): Promise<readonly number[]> => {
  const { rows } = await admin.query(
    `select pid from pg_stat_activity where application_name = 'florin-test-wakes'
       and state = 'idle' and query ilike 'listen%' and datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
};

const oneListener = () =>
  waitUntil(async () => {
    const [pid, ...others] = await listeners();
    expect(others).toEqual([]);
    return pid;
  });

const subscribe = async () => {
  const merchant = await service.newMerchant();
  const { secret } = merchant.secrets.SANDBOX;
  const body = { url: receiver.url, events: ['PAYMENTS_STATUS'] };
  await service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
  return { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
};

const deliver = async (count: number) => {
  const tenant = await subscribe();
  const before = receiver.received.length;
  notifyWakes(service.tools)(await emitMany(service.database, tenant, count));
  await waitUntil(() => receiver.received.length === before + count);
};

test('a process without a dispatcher wakes other workers after its commit', async () => {
  await oneListener();
  await deliver(3);
});

test('the listening connection reconnects by itself', async () => {
  const first = await oneListener();
  await admin.query('select pg_terminate_backend($1)', [first]);
  await waitUntil(async () => (await oneListener()) !== first);
  await deliver(3);
});

test('events emitted while the connection was down are delivered when it is back', async () => {
  const tenant = await subscribe();
  const first = await oneListener();
  const before = receiver.received.length;
  await admin.query('select pg_terminate_backend($1)', [first]);
  await emitMany(service.database, tenant, 2);
  await waitUntil(() => receiver.received.length === before + 2);
});

test('more endpoints than fit into a notification wake all workers', async () => {
  const tenant = await subscribe();
  await oneListener();
  const before = receiver.received.length;
  await emitMany(service.database, tenant, 1);
  notifyWakes(service.tools)(Array.from({ length: 201 }, () => service.tools.ids.uuid()));
  await waitUntil(() => receiver.received.length === before + 1);
});

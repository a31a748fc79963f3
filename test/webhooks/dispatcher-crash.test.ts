import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantRoutes } from '../../service/src/modules/webhooks/index.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { openSecrets } from '../../service/src/platform/secrets/open-secrets.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openReceiver, type Receiver } from '../harness/open-receiver.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { startDispatcherProcess } from './dispatcher-process.ts';
import { draftOf, emit, emitMany } from './emit.ts';

const masterKey = Buffer.alloc(32, 7);
const kills = isLongRun ? 12 : 1;
const leaseMs = 8_000;
const maxWaiting = 500;

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver((_, reply) => {
    setTimeout(() => reply.end('ok'), 5);
  });
  service = await openTestService({
    routes: (tools) => merchantRoutes(tools),
    tools: { secrets: openSecrets([masterKey]) },
  });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const subscribe = async () => {
  const merchant = await service.newMerchant();
  const { secret } = merchant.secrets.SANDBOX;
  const body = { url: receiver.url, events: ['PAYMENTS_STATUS'] };
  const made = await service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  return { tenant, endpointId: made.body.id as string };
};

const countOpen = statement<Record<never, never>, { open: bigint }>(
  'test_open',
  sql()`select count(*) as open from delivery where state <> 'DELIVERED'`,
);
/** Claims without a recorded outcome. */
const readHeld = statement<Record<never, never>, { claim: string }>(
  'test_held',
  sql()`
   select concat(delivery_id, '/', attempts) as claim from delivery
   where state = 'PENDING' and attempts > 0`,
);
const open = async () => Number((await service.database.system(countOpen, {}))[0]?.open);

const timesByEvent = (): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const { headers } of receiver.received) {
    const id = String(headers['x-service-event-id']);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  return times;
};

test(`${kills} SIGKILLs lose nothing and repeat at most what was in flight`, async () => {
  const endpoints = await Promise.all(Array.from({ length: 10 }, subscribe));
  const sent = new Set<string>();
  let isEmitting = true;
  const emitting = (async () => {
    for (let turn = 0; isEmitting; turn += 1) {
      // A slow machine starts a dispatcher slowly: what waits for it must not grow without bound.
      await waitUntil(() => !isEmitting || sent.size - receiver.received.length < maxWaiting, {
        withinMs: 120_000,
      });
      const drafts = Array.from({ length: 10 }, () => draftOf());
      const endpoint = endpoints[turn % endpoints.length];
      if (endpoint) await emit(service.database, endpoint.tenant, drafts);
      for (const { eventId } of drafts) sent.add(eventId);
      await sleep(20);
    }
  })();
  const onTheirWay = new Set<string>();
  for (let kill = 0; kill < kills; kill += 1) {
    const running = await startDispatcherProcess({
      databaseUrl: service.databaseUrl,
      masterKey,
      leaseMs,
    });
    const before = receiver.received.length;
    await waitUntil(() => receiver.received.length > before + 20);
    await running.kill('SIGKILL');
    for (const { claim } of await service.database.system(readHeld, {})) onTheirWay.add(claim);
  }
  isEmitting = false;
  await emitting;
  const last = await startDispatcherProcess({
    databaseUrl: service.databaseUrl,
    masterKey,
    leaseMs,
  });
  await waitUntil(async () => (await open()) === 0, { withinMs: 60_000 });
  await last.kill('SIGTERM');
  const times = timesByEvent();
  expect([...sent].filter((id) => !times.has(id))).toEqual([]);
  const repeated = receiver.received.length - times.size;
  expect(repeated).toBeLessThanOrEqual(onTheirWay.size);
  process.stdout.write(
    `${kills} SIGKILLs: ${sent.size} events, 0 lost, ${repeated} of ${onTheirWay.size} repeated\n`,
  );
}, 180_000);

test('SIGTERM releases hanging deliveries without counting an attempt', async () => {
  const { tenant, endpointId } = await subscribe();
  receiver.received.length = 0;
  receiver.answer(() => undefined);
  const order = { databaseUrl: service.databaseUrl, masterKey, leaseMs: 60_000 };
  const first = await startDispatcherProcess(order);
  await emitMany(service.database, tenant, 3);
  await waitUntil(() => receiver.received.length === 3);
  await first.kill('SIGTERM');
  const read = statement<{ endpointId: string }, { attempts: number; leased_until: Date | null }>(
    'test_released',
    sql('endpointId')`select attempts, leased_until from delivery where endpoint_id = :endpointId`,
  );
  expect(await service.database.system(read, { endpointId })).toEqual(
    Array.from({ length: 3 }, () => ({ attempts: 0, leased_until: null })),
  );
  receiver.answer((_, reply) => {
    reply.end('ok');
  });
  const second = await startDispatcherProcess(order);
  await waitUntil(async () => (await open()) === 0);
  await second.kill('SIGTERM');
});

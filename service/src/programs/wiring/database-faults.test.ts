import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CuttingProxy,
  openCuttingProxy,
} from '../../../../test/harness/database/open-cutting-proxy.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { openPayments, type Payments } from '../../modules/payments/test/open-payments.ts';
import { healthRoutes } from './health-routes.ts';

let proxy: CuttingProxy;
let payments: Payments;
let owner: pg.Client;
beforeAll(async () => {
  proxy = await openCuttingProxy();
  payments = await openPayments({ connectThrough: proxy.connectThrough });
  healthRoutes(payments.app, payments.tools);
  owner = new pg.Client({
    connectionString: payments.databaseUrl,
    options: '-c search_path=florin',
  });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await payments.close();
  proxy.close();
});

const isReady = async (): Promise<boolean> =>
  (await payments.request('GET', '/health/ready')).status === 200;

const unavailable = {
  status: 503,
  headers: { 'retry-after': expect.anything() },
  body: { name: 'UNAVAILABLE' },
};

test('a full disk is 503 for what writes, reads go on, and the program is not ready', async () => {
  const id = await payments.created();
  expect(await isReady()).toBe(true);
  // The server's own answer where a file cannot grow.
  await owner.query(`
    create function disk_full() returns trigger language plpgsql as $$
      begin raise disk_full using message = 'could not extend file: No space left'; end $$;
    create trigger disk_full before insert or update on payment_request
      for each row execute function disk_full();
    create trigger disk_full before update on health_probe for each row execute function disk_full()`);
  expect(await payments.create()).toMatchObject(unavailable);
  expect(await payments.create({}, { headers: { 'idempotency-key': 'full' } })).toMatchObject(
    unavailable,
  );
  expect((await payments.status(id)).status).toBe(200);
  expect(await isReady()).toBe(false);
  await owner.query(
    'drop trigger disk_full on payment_request; drop trigger disk_full on health_probe',
  );
  expect(await isReady()).toBe(true);
  const again = await payments.create({}, { headers: { 'idempotency-key': 'full' } });
  expect(again.status).toBe(200);
});

test('readiness needs a new file on the disk, not only room in a page', async () => {
  const allowFiles = async (setting: string): Promise<void> => {
    await owner.query(`
      do $$ begin execute format('alter database %I ${setting}', current_database()); end $$;
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
  };
  await allowFiles('set temp_file_limit = 1');
  await waitUntil(async () => !(await isReady()));
  expect(await isReady()).toBe(false);
  await allowFiles('reset temp_file_limit');
  await waitUntil(isReady);
});

const maxMs = 10_000;

/** How long a reply took, with the reply. */
const timed = async <Reply>(reply: Promise<Reply>) => {
  const startedAt = performance.now();
  return { reply: await reply, ms: performance.now() - startedAt };
};

test('a frozen server costs ten seconds at most, also a request that comes while others wait', async () => {
  const id = await payments.created();
  await payments.status(id);
  proxy.freeze();
  const first = [timed(payments.create()), timed(payments.status(id)), timed(payments.cancel(id))];
  const ready = await timed(isReady());
  expect(ready.reply).toBe(false);
  expect(ready.ms).toBeLessThan(4_000);
  // These find every connection taken, and the batch of their statement at work.
  const later = Array.from({ length: 12 }, () => timed(payments.create()));
  for (const { reply, ms } of await Promise.all([...first, ...later])) {
    expect(reply).toMatchObject(unavailable);
    expect(ms).toBeLessThan(maxMs + 500);
  }
  proxy.comeBack();
  await waitUntil(async () => (await payments.create()).status === 200, { withinMs: 30_000 });
  expect(await isReady()).toBe(true);
});

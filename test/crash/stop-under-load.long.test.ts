import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../harness/wait-until.ts';
import { openRig, type Rig } from './open-rig.ts';
import { callApi } from './pay-persistently.ts';

const payments = 16;
// Long enough to be looked at on a slow machine.
const noticeMs = 2_000;

let rig: Rig;
let client: pg.Client;

beforeAll(async () => {
  rig = await openRig();
  client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
}, 180_000);
afterAll(async () => {
  await client.end();
  await rig.close();
});

const create = async (orderId: string): Promise<string> => {
  const body = { customerId: 'c', orderId, amount: 5, expiresIn: 3_600_000 };
  const made = await callApi(rig, '/api/payments/process-payment', body);
  return String(made.paymentRequestId);
};

const pay = async (id: string): Promise<string> => {
  const path = `/api/sandbox/payment-requests/${id}/pay`;
  return String((await callApi(rig, path, {})).status);
};

const countAttempts = async (): Promise<number> =>
  (await client.query('select count(*)::int as attempts from florin.attempt')).rows[0].attempts;

test('an API that is told to stop answers what is under way and fails no payment', async () => {
  await rig.kill('api');
  await rig.start('api', { SHUTDOWN_NOTICE_MS: String(noticeMs) });
  const ids = await Promise.all(Array.from({ length: payments }, (_, at) => create(`stop-${at}`)));
  // What never ends by itself.
  const authorization = `Bearer ${rig.secret}`;
  const streams = await Promise.all([
    fetch(`${rig.url}/api/webhook/events/stream`, { headers: { authorization } }),
    fetch(`${rig.url}/pay/events?paymentRequestId=${ids[0]}`),
  ]);
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  const paying = Promise.allSettled(ids.map(pay));
  await waitUntil(async () => (await countAttempts()) > 0, { everyMs: 20 });
  const stopped = rig.stop('api');

  // A proxy learns that it leaves while it still answers everything.
  const isReady = () => fetch(`${rig.url}/health/ready`);
  await waitUntil(async () => (await isReady()).status === 503, { everyMs: 20 });
  const answer = await fetch(`${rig.url}/health/live`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await create('while it leaves');

  const outcomes = (await paying).map((each) =>
    each.status === 'fulfilled' ? each.value : String(each.reason?.cause ?? each.reason),
  );
  expect(outcomes).toEqual(ids.map(() => 'COMPLETED'));
  expect(await stopped).toBe(0);
  await Promise.all(streams.map((stream) => stream.text()));
  const { rows } = await client.query(
    'select status, count(*)::int as attempts from florin.attempt group by status',
  );
  expect(rows).toEqual([{ status: 'COMPLETED', attempts: payments }]);
});

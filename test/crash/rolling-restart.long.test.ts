import { Agent, request } from 'node:https';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { openRig, type Part, type Rig } from './open-rig.ts';

const patience = { withinMs: 120_000 };
const shops = 4;

let rig: Rig;
let client: pg.Client;
let agent: Agent;

beforeAll(async () => {
  rig = await openRig({ isDoubled: true });
  client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
  agent = new Agent({ ca: rig.balancer?.authority });
}, 240_000);
afterAll(async () => {
  agent.destroy();
  await client.end();
  await rig.close();
});

/** Each call on a connection of its own: what is reset is seen. */
const call = (path: string, body: object): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const sent = request(`${rig.balancer?.url}${path}`, {
      agent,
      method: 'POST',
      headers: { authorization: `Bearer ${rig.secret}`, 'content-type': 'application/json' },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      answer.on('data', (bytes: Buffer) => {
        text += bytes;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sent.end(JSON.stringify(body));
  });

/** A shop whose payers pay by bank and by card; it repeats nothing. */
const openShop = (errors: string[], isStopped: () => boolean) => {
  let paid = 0;
  const pay = async (turn: number): Promise<void> => {
    const order = { customerId: 'c', orderId: `o-${turn}`, amount: 5, expiresIn: 36e5 };
    const made = await call('/api/payments/process-payment', { ...order, enableTips: false });
    const by = turn % 3 === 0 ? { method: 'CARD', cardNumber: '4000000000000127' } : {};
    const path = `/api/sandbox/payment-requests/${made.paymentRequestId}/pay`;
    const { status } = await call(path, by);
    if (status !== 'COMPLETED') throw new Error(`a payment is ${status}`);
    paid += 1;
  };
  const running = (async () => {
    for (let turn = 0; !isStopped(); turn += 1)
      await pay(turn).catch((error: Error) => errors.push(String(error.cause ?? error)));
  })();
  return { running, paid: () => paid };
};

test('each program is restarted under load, and no caller and no payment notices', async () => {
  await waitUntil(async () => rig.balancer?.ready() === 2, patience);
  const errors: string[] = [];
  let isStopped = false;
  const all = Array.from({ length: shops }, () => openShop(errors, () => isStopped));
  const paid = () => all.reduce((sum, shop) => sum + shop.paid(), 0);
  const parts: readonly Exclude<Part, 'postgres' | 'simulator'>[] = [
    ...(['api', 'secondApi', 'worker', 'secondWorker'] as const),
    ...(['secondWorker', 'secondApi', 'worker', 'api'] as const),
  ];
  for (const part of parts) {
    const before = paid();
    await waitUntil(async () => paid() > before + shops, patience);
    expect(await rig.stop(part), part).toBe(0);
    await rig.start(part);
    await waitUntil(async () => rig.balancer?.ready() === 2, patience);
  }
  isStopped = true;
  await Promise.all(all.map(({ running }) => running));
  process.stdout.write(`${paid()} payments while each of four programs was restarted twice\n`);
  expect(errors).toEqual([]);
  const { rows } = await client.query(
    `select status, count(*)::int as attempts from florin.attempt group by status`,
  );
  expect(rows).toEqual([{ status: 'COMPLETED', attempts: paid() }]);
  await waitUntil(async () => {
    const wrong = await findBrokenInvariants(rig.databaseUrl, { isQuiet: true });
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);
}, 600_000);

import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../test/harness/long-test.ts';
import {
  type RunningSimulator,
  runSimulator,
} from '../../../test/harness/simulator/run-simulator.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { errorOf, numberOf, openShop, payOnPage, type Shop } from '../testing/card-shop.ts';
import { disconnectDatabase } from '../testing/disconnect-database.ts';
import { cardTable } from './card-table.ts';

let simulator: RunningSimulator;
let shop: Shop;
const logged: string[] = [];

beforeAll(async () => {
  simulator = await runSimulator();
  shop = await openShop(simulator);
});
afterAll(() => simulator?.close());

const injectFault = (fault: object) => shop.control('POST', '/faults', fault);
const crash = async () => {
  logged.push(simulator.logged());
  await simulator.kill('SIGKILL');
  await simulator.start();
};
const chargeOf = async (key: string) => ({
  ...{ amount: 500, currency: 'gbp', off_session: true, confirm: true },
  ...(await shop.saveCard(key)),
});
const countOf = async (customer: string) =>
  (await shop.stripe.paymentIntents.list({ customer })).data.length;

describe('a fault', () => {
  test('cut-before leaves nothing, cut-after leaves the payment', async () => {
    for (const [kind, left] of [
      ['cut-before', 0],
      ['cut-after', 1],
    ] as const) {
      const charge = await chargeOf('visa');
      // The client retries once by itself when a connection is cut.
      await injectFault({ operation: 'cards:intent', kind, times: 2 });
      const error = await errorOf(shop.stripe.paymentIntents.create(charge));
      expect(error.type).toBe('StripeConnectionError');
      expect(await countOf(charge.customer)).toBe(left);
    }
  });

  test('status 500 is stored under the idempotency key, with or without the work', async () => {
    for (const [kind, left] of [
      ['status', 0],
      ['status-after', 1],
    ] as const) {
      const charge = await chargeOf('visa');
      const options = { idempotencyKey: randomUUID() };
      await injectFault({ operation: 'cards:intent', kind, status: 500 });
      for (let tries = 0; tries < 2; tries += 1) {
        const error = await errorOf(shop.stripe.paymentIntents.create(charge, options));
        expect([error.statusCode, error.type]).toEqual([500, 'StripeAPIError']);
      }
      expect(await countOf(charge.customer)).toBe(left);
    }
  });

  test.each([
    ['cards:read', 'status', 429, 'StripeRateLimitError'],
    ['cards:read', 'down', 503, 'StripeAPIError'],
  ])('at %s: %s %i', async (operation, kind, status, type) => {
    await injectFault({ operation, kind, ...(kind === 'status' && { status }) });
    const error = await errorOf(shop.stripe.customers.list());
    expect([error.statusCode, error.type]).toEqual([status, type]);
    await shop.stripe.customers.list();
  });

  test.each(['capture', 'cancel'] as const)('affects %s and nothing else', async (operation) => {
    const { id } = await shop.charge('visa', { capture_method: 'manual' });
    await injectFault({ operation: `cards:${operation}`, kind: 'down' });
    expect((await errorOf(shop.stripe.paymentIntents[operation](id))).statusCode).toBe(503);
    await shop.stripe.paymentIntents[operation](id);
  });

  test('is cleared with all others, and is rejected when invalid', async () => {
    await injectFault({ operation: 'cards:refund', kind: 'down', times: 9 });
    expect((await shop.control('DELETE', '/faults')).body.removed).toBeGreaterThan(0);
    const { id } = await shop.charge('visa');
    await shop.stripe.refunds.create({ payment_intent: id });
    expect((await injectFault({ operation: 'cards:lunch', kind: 'down' })).status).toBe(400);
    expect((await injectFault({ operation: 'cards:read', kind: 'nap' })).status).toBe(400);
  });

  test('slow delays a call', async () => {
    await injectFault({ operation: 'cards:session', kind: 'slow', milliseconds: 300 });
    const before = performance.now();
    await shop.openSession();
    expect(performance.now() - before).toBeGreaterThanOrEqual(300);
  });
});

describe('the control calls', () => {
  test('pay a session without a browser and answer its challenge', async () => {
    const session = await shop.openSession();
    const number = numberOf('visa_challenge');
    const paid = await shop.control('POST', `/cards/sessions/${session.id}/pay`, { number });
    expect(paid.body).toMatchObject({ status: 'requires_action', isChallenged: true });
    const answer = { id: session.id, decision: 'approve' };
    const resolved = await shop.control('POST', '/cards/challenges/resolve', answer);
    expect(resolved.body).toMatchObject({ status: 'succeeded' });
    const again = await shop.control('POST', '/cards/challenges/resolve', answer);
    expect(again.status).toBe(409);
  });

  test('reject an unknown number unread, and unknown payments', async () => {
    const session = await shop.openSession();
    const path = `/cards/sessions/${session.id}/pay`;
    const refused = await shop.control('POST', path, { number: '4012888888881881' });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).not.toContain('1881');
    const unknown = { id: 'pi_none', decision: 'approve' };
    expect((await shop.control('POST', '/cards/challenges/resolve', unknown)).status).toBe(404);
  });

  test('need their token', async () => {
    const url = `${shop.registration.cards.controlUrl}/payments`;
    expect((await fetch(url)).status).toBe(401);
  });
});

longTest(
  'a payment goes on after a crash at every one of its steps',
  async () => {
    const session = await shop.openSession({ payment_intent_data: { capture_method: 'manual' } });
    await crash();
    const number = numberOf('visa_challenge');
    const page = await payOnPage(session.url ?? '', { number, decision: 'abandon' });
    expect(page.text).toContain('data-step="challenge"');
    await crash();
    const body = new URLSearchParams({ decision: 'approve' });
    await fetch(page.url, { method: 'POST', redirect: 'manual', body });
    await crash();
    const { intent } = await shop.readIntent(session.id);
    const options = { idempotencyKey: randomUUID() };
    const first = await shop.stripe.paymentIntents.capture(intent?.id ?? '', {}, options);
    await crash();
    const again = await shop.stripe.paymentIntents.capture(intent?.id ?? '', {}, options);
    expect(again).toEqual(first);
  },
  60_000,
);

longTest(
  'a kill during charges leaves each done once or not at all',
  async () => {
    const charges = await Promise.all(Array.from({ length: 12 }, () => chargeOf('visa')));
    const keys = charges.map(() => randomUUID());
    const send = (index: number) =>
      shop.stripe.paymentIntents.create(charges[index] ?? ({} as never), {
        idempotencyKey: keys[index],
      });
    const running = charges.map((_charge, index) => send(index).catch(() => undefined));
    await Promise.race(running);
    await crash();
    const before = await Promise.all(running);
    for (const [index, charge] of charges.entries()) {
      const intent = await send(index);
      expect(intent.status).toBe('succeeded');
      if (before[index]) expect(intent.id).toBe(before[index].id);
      expect(await countOf(charge.customer)).toBe(1);
    }
  },
  60_000,
);

test('answers 503 without its database and recovers by itself', async () => {
  const away = await disconnectDatabase(simulator.databaseUrl);
  expect((await errorOf(shop.stripe.customers.list())).statusCode).toBe(503);
  const page = await fetch(`${simulator.url}/cards/pay/cs_test_none`);
  expect(page.status).toBe(503);
  await away.reconnect();
  await waitUntil(async () => (await fetch(`${simulator.url}/health`)).status === 200);
  expect((await shop.charge('visa')).status).toBe('succeeded');
});

test('no card number is in its database, its logs or its files', async () => {
  for (const { number } of cardTable) {
    const session = await shop.openSession();
    await payOnPage(session.url ?? '', { number });
  }
  const session = await shop.openSession();
  const foreign = '4012888888881881';
  const mistyped = { number: foreign, more: { name: numberOf('visa') } };
  const page = await payOnPage(session.url ?? '', mistyped);
  expect(page.status).toBe(422);
  await fetch(`${simulator.url}/cards/pay/${numberOf('visa')}`);
  const numbers = [...cardTable.map((row) => row.number), foreign];
  const stored = (await dump()) + logged.join('') + simulator.logged() + (await trustFiles());
  expect(stored).toContain('card_record');
  for (const number of numbers) {
    expect(page.text).not.toContain(`value="${number}"`);
    expect(stored.includes(number)).toBe(false);
  }
});

const trustFiles = async (): Promise<string> => {
  const names = await readdir(simulator.trustFolder, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile());
  const texts = files.map((each) => readFile(join(each.parentPath, each.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
};

const dump = async (): Promise<string> => {
  const client = new pg.Client({ connectionString: simulator.databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'simulator'`,
    );
    let text = '';
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`select * from simulator.${name}`);
      text += `${name} ${JSON.stringify(rows)}\n`;
    }
    return text;
  } finally {
    await client.end();
  }
};

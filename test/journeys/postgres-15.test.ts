import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namesIn, replaceNames } from '../../service/src/platform/database/sql.ts';
import { loadStatements } from '../../tools/describe/describe-statements.ts';
import { type OwnTestServer, openTestServer } from '../harness/database/open-test-server.ts';
import { longTest } from '../harness/long-test.ts';
import { type Journey, openJourney } from '../harness/open-journey.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';

const patience = { withinMs: 30_000 };
const timeout = 120_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const day = 24 * 60 * 60_000;

let server: OwnTestServer;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let journey: Journey;

beforeAll(async () => {
  server = await openTestServer({ version: 15, settings: { fsync: 'off' } });
  [journey, receiver] = await Promise.all([openJourney(server), openReceiver()]);
}, timeout);

afterAll(async () => {
  await journey.close();
  await receiver.close();
  await server.stop();
});

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });

const pay = async (id: string, by: object): Promise<void> => {
  const paid = await request('POST', `/api/sandbox/payment-requests/${id}/pay`, by);
  expect(paid.status, JSON.stringify(paid.body)).toBe(200);
};

const statusOf = async (id: string) =>
  (await request('GET', `/api/payments/v1/payment-status/${id}`)).body;

describe('on PostgreSQL 15', { timeout }, () => {
  test('the server is PostgreSQL 15, with every migration', async () => {
    const rows = await journey.sandbox.tools.database.system<object, { version: string }>(
      { name: 'test_version', text: 'show server_version', valueNames: [] },
      {},
    );
    expect(rows).toEqual([{ server_version: expect.stringMatching(/^15\./) }]);
  });

  test('the server understands every statement', async () => {
    const client = new pg.Client({
      connectionString: journey.sandbox.databaseUrl,
      options: '-c search_path=florin',
    });
    await client.connect();
    const refuses = async (text: string): Promise<string | null> => {
      const numbers = namesIn(text);
      const numbered = replaceNames(text, (name) => `$${numbers.indexOf(name) + 1}`);
      try {
        await client.query(`prepare test_understood as ${numbered}`);
        await client.query('deallocate test_understood');
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    };
    const statements = await loadStatements(root);
    expect(statements.length).toBeGreaterThan(200);
    const refused: string[] = [];
    for (const { name, sql } of statements) {
      const why = await refuses(sql);
      if (why !== null) refused.push(`${name}: ${why}`);
    }
    expect(refused).toEqual([]);
    const planted = 'update card set brand = null where card_id = :cardId returning old.brand';
    expect(await refuses(planted)).toMatch('missing FROM-clause entry for table "old"');
    await client.end();
  });

  test('a bank payment completes, is delivered as a webhook, refunded and paid out', async () => {
    const subscription = { url: receiver.url, event: 'PAYMENTS_STATUS' };
    expect((await request('POST', '/api/webhook/merchant', subscription)).status).toBe(200);
    const id = await journey.create({ enableTips: false, orderId: 'Zimt 7', amount: 30 });
    await pay(id, {});
    await journey.becomes(id, 'COMPLETED AC[SC]C');
    const found = await request('POST', '/api/payments/transactions', { search: 'zimt' });
    expect(found.body).toMatchObject({ data: [{ paymentRequestId: id }], totalCount: 1 });
    await waitUntil(() => {
      const statuses = receiver.received
        .filter(({ json }) => json.paymentRequestId === id)
        .map(({ json }) => json.status);
      return Promise.resolve(statuses.includes('COMPLETED'));
    }, patience);
    const refund = await request('POST', '/api/refund', { paymentRequestId: id, amount: 2.5 });
    expect(refund.status).toBe(200);
    await waitUntil(async () => {
      const [found] = (await request('GET', `/api/refund/${id}`)).body;
      return found.status === 'COMPLETED';
    }, patience);
    await journey.advance(5 * day);
    await waitUntil(async () => {
      const { data } = (await request('GET', '/api/payouts')).body;
      return data.some(
        (each: { status: string; amount: string }) =>
          each.status === 'SETTLED' && each.amount === '27.50',
      );
    }, patience);
    await journey.allAgree();
  });

  longTest('a card pays on its page, and a saved card again, until it is deleted', async () => {
    const customer = { fullName: 'Ada Lovelace', email: 'ADA@example.com' };
    const { body: ada } = await request('POST', '/api/customers', customer);
    const again = await request('POST', '/api/customers', {
      ...customer,
      email: 'ada@example.com',
    });
    expect(again.status).toBe(409);
    const saving = { atoaCustomerId: ada.id, savePaymentMethod: true, paymentMethod: ['CARD'] };
    const cardNumber = '4000000000000127';
    for (const _ of [1, 2]) {
      const id = await journey.create({ enableTips: false, ...saving });
      await pay(id, { method: 'CARD', cardNumber });
      await waitUntil(async () => (await statusOf(id)).status === 'COMPLETED', patience);
    }
    const cards = `/api/customers/${ada.id}/cards`;
    const { body: saved } = await request('GET', cards);
    expect(saved).toHaveLength(1);
    const charged = await request('POST', '/api/payments/card/process-payment', {
      ...{ customerId: ada.id, paymentMethodId: saved[0].id, captureType: 'AUTO_CAPTURE' },
      ...{ amount: 5, orderId: 'order-1' },
    });
    expect(charged.status).toBe(200);
    await waitUntil(
      async () => (await statusOf(charged.body.paymentRequestId)).status === 'COMPLETED',
      patience,
    );
    expect((await request('DELETE', `${cards}/${saved[0].id}`)).status).toBe(200);
    expect((await request('GET', cards)).body).toEqual([]);
    await journey.allAgree();
  });
});

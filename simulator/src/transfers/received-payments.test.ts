import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../../test/harness/simulator/open-test-simulator.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { type HonestClient, honestClient } from '../testing/honest-client.ts';
import { authorise, consentBody, submit } from '../testing/payment-steps.ts';

let simulator: TestSimulator;
let client: HonestClient;
// The creditor of consentBody.
const account = '18000200000190';

beforeAll(async () => {
  simulator = await openTestSimulator();
  client = await honestClient(simulator.trustFolder);
});
afterAll(async () => {
  await client?.close();
  await simulator?.close();
});

type ShownAccount = {
  readonly balancePence: number;
  readonly entries: readonly {
    readonly direction: string;
    readonly kind: string;
    readonly endToEndId: string;
  }[];
};

const books = async (): Promise<ShownAccount> =>
  (await client.control('GET', `/transfers/account?account=${account}`)).body;

const pay = async (login: string, reference = 'ORDER 1001') => {
  const consent = consentBody('12.34', { reference });
  const authorised = await authorise(client, { login }, consent);
  await submit(client, authorised);
  const id = consent.Data.Initiation.EndToEndIdentification;
  return {
    entries: async () => (await books()).entries.filter(({ endToEndId }) => endToEndId === id),
    advance: (milliseconds: number) =>
      client.control('POST', '/clock/advance', {
        consentIds: [authorised.consentId],
        milliseconds,
      }),
  };
};

test('a payment at a bank is credited to its payee when it settles', async () => {
  const before = (await books()).balancePence;
  const payment = await pay('approve');
  await payment.advance(2_000);
  await waitUntil(async () => (await payment.entries()).length === 1);
  expect(await payment.entries()).toMatchObject([{ direction: 'CRDT', kind: 'payment' }]);
  expect((await books()).balancePence).toBe(before + 1234);
});

test('a payment is credited when its bank never reports ACSC', async () => {
  const payment = await pay('never-settles');
  await payment.advance(3_000);
  await waitUntil(async () => (await payment.entries()).length === 1);
});

test.each([['rejected-late'], ['blocked'], ['insufficient-funds'], ['pending-forever']])(
  'a payment that ends as %s is never credited',
  async (login) => {
    const payment = await pay(login);
    await payment.advance(24 * 60 * 60 * 1000);
    expect(await payment.entries()).toEqual([]);
  },
);

test('a payment rejected after it settled is debited again', async () => {
  const before = (await books()).balancePence;
  const payment = await pay('rejected-settled');
  await payment.advance(2_000);
  await waitUntil(async () => (await payment.entries()).length === 1);
  await payment.advance(120_000);
  await waitUntil(async () => (await payment.entries()).length === 2);
  expect((await payment.entries()).map(({ kind }) => kind)).toEqual(['payment', 'reversal']);
  expect((await books()).balancePence).toBe(before);
});

test('the account report lists it, without the id when the reference requests that', async () => {
  const payments = [await pay('approve'), await pay('approve', 'SIM-HIDE-ID')];
  for (const payment of payments) {
    await payment.advance(2_000);
    await waitUntil(async () => (await payment.entries()).length === 1);
  }
  const file = join(simulator.trustFolder, 'registration.json');
  const { transfers } = JSON.parse(await readFile(file, 'utf8'));
  const answer = await fetch(`${transfers.url}/deliveries?account=${account}`, {
    headers: { authorization: `Bearer ${transfers.secret}` },
  });
  const { deliveries } = (await answer.json()) as { deliveries: readonly { text: string }[] };
  const text = deliveries.map((one) => one.text).join('');
  const ids = await Promise.all(
    payments.map(async ({ entries }) => (await entries())[0]?.endToEndId),
  );
  expect(ids.map((id) => text.includes(`<EndToEndId>${id}</EndToEndId>`))).toEqual([true, false]);
  expect(text).toContain('<EndToEndId>NOTPROVIDED</EndToEndId>');
});

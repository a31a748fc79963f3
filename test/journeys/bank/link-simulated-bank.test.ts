import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchMessages } from '../../../service/src/rails/open-banking-uk/test/watch-messages.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

let sandbox: Sandbox;
const messages = watchMessages();

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox?.close());

const link = async (institutionId: string, outcome: string) => {
  const initiated = await sandbox.request('POST', '/api/bank/auth/initiate', {
    body: { redirectUrl: 'https://shop.example/linked' },
  });
  expect(initiated.status).toBe(200);
  const { accountAuthId } = initiated.body;
  const path = `/api/sandbox/bank/auth/${accountAuthId}/link`;
  const linked = await sandbox.request('POST', path, { body: { institutionId, outcome } });
  expect(linked.status, JSON.stringify(linked.body)).toBe(200);
  return { accountAuthId, back: new URL(linked.body.redirectUrl) };
};

const day = (offsetDays: number) =>
  new Date(Date.now() + offsetDays * 86_400_000).toISOString().slice(0, 10);

// One of each version of the standard, over mutual TLS to a bank in a process of its own.
test.each(['tidewater-sandbox', 'emberly-sandbox'])(
  'a merchant links an account of %s and reads a year of it',
  async (institutionId) => {
    const { accountAuthId, back } = await link(institutionId, 'SUCCESS');
    expect(back.searchParams.get('status')).toBe('SUCCESS');
    const accounts = await sandbox.request('GET', `/api/bank/${accountAuthId}/accounts`);
    expect(accounts.status, JSON.stringify(accounts.body)).toBe(200);
    const [account] = accounts.body;
    expect(account).toMatchObject({
      accountNumber: expect.stringMatching(/^\d{8}$/),
      sortCode: expect.stringMatching(/^\d{6}$/),
    });
    const path = `/api/bank/accounts/${account.accountId}`;
    const query = `from=${day(-300)}&before=${day(1)}&itemsPerPage=50`;
    const first = await sandbox.request('GET', `${path}/transactions?${query}&page=0`);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body.totalCount).toBeGreaterThan(150);
    expect(first.body.data).toHaveLength(50);
    const seen = new Set<string>();
    for (let page = 0; seen.size < first.body.totalCount; page += 1) {
      const { body } = await sandbox.request('GET', `${path}/transactions?${query}&page=${page}`);
      expect(body.data.length).toBeGreaterThan(0);
      for (const { id } of body.data) {
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
    }
    const balance = await sandbox.request('GET', `${path}/balance`);
    expect(balance.body).toMatchObject({ currency: 'GBP', balance: expect.any(Number) });
  },
);

test.each([
  ['CANCELLED', 'CANCELLED'],
  ['FAILED', 'FAILED'],
])('a customer whose visit ends as %s returns with %s', async (outcome, status) => {
  const { accountAuthId, back } = await link('emberly-sandbox', outcome);
  expect(back.searchParams.get('status')).toBe(status);
  const accounts = await sandbox.request('GET', `/api/bank/${accountAuthId}/accounts`);
  expect(accounts.status).toBe(409);
});

test('every message to the banks is one that the standard describes', () => {
  const { faults, operations } = messages.stop();
  expect(faults).toEqual([]);
  for (const version of ['3.1.11', '4.0.1'])
    expect(operations).toContain(`${version} GET /accounts/{AccountId}/transactions`);
});

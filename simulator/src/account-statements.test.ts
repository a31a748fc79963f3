import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../test/harness/simulator/open-test-simulator.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
import { accountClient } from './testing/account-client.ts';
import { type HonestClient, honestClient } from './testing/honest-client.ts';
import { authorise, consentBody, submit } from './testing/payment-steps.ts';

let simulator: TestSimulator;
const clients = new Map<string, HonestClient>();

const bankOf = async (id: string): Promise<HonestClient> => {
  const client = clients.get(id) ?? (await honestClient(simulator.trustFolder, id));
  clients.set(id, client);
  return client;
};

beforeAll(async () => {
  simulator = await openTestSimulator();
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await simulator?.close();
});

const linkAt = async (id: string, login: string) => {
  const client = await bankOf(id);
  const reader = accountClient(client, client.bank.accountsVersion);
  const linked = await reader.link({ login });
  const accounts = await reader.accountsOf(linked.token);
  return { client, reader, linked, accounts, accountId: accounts[0].AccountId as string };
};

test('the balances of a year add up to the balance of the account', async () => {
  const { reader, linked, accountId } = await linkAt('emberly-sandbox', 'sums');
  const { lines } = await reader.everyLine(linked.token, accountId);
  const booked = lines.filter((line: { Status: string }) => line.Status === 'BOOK').reverse();
  let previous: bigint | undefined;
  for (const line of booked) {
    const after = penceOf(line.Balance);
    if (previous !== undefined) expect(after).toBe(previous + penceOf(line));
    previous = after;
  }
  const { body } = await reader.get(`/accounts/${accountId}/balances`, linked.token);
  const [, , last] = body.Data.Balance;
  expect([last.Type, penceOf(last)]).toEqual(['ITBD', previous]);
});

test('the static bank shows the same on every day and to every consent', async () => {
  const one = await linkAt('mock-sandbox-v1', 'approve');
  const first = await one.reader.everyLine(one.linked.token, one.accountId);
  const two = await linkAt('mock-sandbox-v1', 'approve');
  await two.client.control('POST', '/clock/advance', {
    consentIds: [two.linked.consentId],
    milliseconds: 30 * 86_400_000,
  });
  const second = await two.reader.everyLine(two.linked.token, two.accountId);
  expect(second.lines).toEqual(first.lines);
  expect(first.lines[0].BookingDateTime).toMatch(/^2026-10-3[01]/);
  expect(first.lines.at(-1)).toMatchObject({
    AccountId: 'acc-5270a73cf50749bbd0827b61',
    Amount: { Amount: '945.00', Currency: 'GBP' },
    TransactionReference: 'RENT FLAT 4',
  });
});

/** Not every customer paid by card in the last 24 hours, so the first of these who did. */
const linkWithPendingLines = async () => {
  for (const login of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']) {
    const link = await linkAt('emberly-sandbox', `pending ${login}`);
    const { lines } = await link.reader.everyLine(link.linked.token, link.accountId);
    const pending = lines.filter((line: { Status: string }) => line.Status === 'PDNG');
    if (pending.length > 0) return { ...link, before: lines, pending };
  }
  throw new Error('no customer has a pending card payment');
};

test('a pending card payment is booked a day later under the same id', async () => {
  const { client, reader, linked, accountId, before, pending } = await linkWithPendingLines();
  const consentIds = [linked.consentId];
  await client.control('POST', '/clock/advance', { consentIds, milliseconds: 2 * 86_400_000 });
  const after = (await reader.everyLine(linked.token, accountId)).lines;
  expect(after).toHaveLength(before.length);
  const statuses = new Map(
    after.map((line: { TransactionId: string; Status: string }) => [
      line.TransactionId,
      line.Status,
    ]),
  );
  for (const line of pending) expect(statuses.get(line.TransactionId)).toBe('BOOK');
});

test('pages overlap at one bank, have no ids at another, odd links at others', async () => {
  const overlapping = await linkAt('tidewater-sandbox', 'pages');
  const { pages, lines } = await overlapping.reader.everyLine(
    overlapping.linked.token,
    overlapping.accountId,
  );
  expect(pages.length).toBeGreaterThan(5);
  const ids = new Set(lines.map((line: { TransactionId: string }) => line.TransactionId));
  expect(lines.length).toBe(ids.size + 2 * (pages.length - 1));

  const nameless = await linkAt('larkrise-sandbox', 'pages');
  const bare = await nameless.reader.everyLine(nameless.linked.token, nameless.accountId);
  for (const line of bare.lines) expect(line).not.toHaveProperty('TransactionId');

  const odd = await linkAt('greyfriars-sandbox', 'pages');
  expect(odd.accounts[0].Account[0].Identification).toMatch(/^GB\d\dSIMU001009\d{8}$/);
  const path = `/accounts/${odd.accountId}/transactions`;
  const page = await odd.reader.get(path, odd.linked.token);
  expect(new URL(page.body.Links.Next).hostname).toBe('internal-gateway.invalid');
});

test('a range is read without its zone, and a wrong one is refused', async () => {
  const { reader, linked, accountId } = await linkAt('emberly-sandbox', 'range');
  const day = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  const query = `?fromBookingDateTime=${day}T00:00:00&toBookingDateTime=${day}T23:59:59`;
  const { lines } = await reader.everyLine(linked.token, accountId, query);
  for (const line of lines) expect(line.BookingDateTime.slice(0, 10)).toBe(day);
  const path = `/accounts/${accountId}/transactions`;
  const wrong = await reader.get(`${path}?fromBookingDateTime=yesterday`, linked.token);
  expect([wrong.status, wrong.body.Errors[0].ErrorCode]).toEqual([400, 'U003']);
});

test('a payment is on the statements of the payer and of the payee', async () => {
  const client = await bankOf('emberly-sandbox');
  const reader = accountClient(client, '4.0');
  const payer = await reader.link({ login: 'paying customer', account: 0 });
  const payee = await reader.link({ login: '180002-00000190' });
  const consent = consentBody('43.21', { reference: 'STATEMENT 7' });
  const paid = await submit(client, await authorise(client, { login: 'paying customer' }, consent));
  expect(paid.status).toBe(201);
  const found = async (token: string) => {
    const [account] = await reader.accountsOf(token);
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const query = `?fromBookingDateTime=${day}`;
    const { lines } = await reader.everyLine(token, account.AccountId, query);
    return lines.find(
      (line: { TransactionReference?: string; Status: string }) =>
        line.TransactionReference === 'STATEMENT 7' && line.Status === 'BOOK',
    );
  };
  await waitUntil(async () => (await found(payee.token)) && (await found(payer.token)));
  expect(await found(payer.token)).toMatchObject({
    CreditDebitIndicator: 'Debit',
    Amount: { Amount: '43.21' },
    CreditorAccount: { Identification: '18000200000190', Name: 'Corner Coffee Ltd' },
  });
  const [payerAccount] = await reader.accountsOf(payer.token);
  expect(await found(payee.token)).toMatchObject({
    CreditDebitIndicator: 'Credit',
    DebtorAccount: { Identification: payerAccount.Account[0].Identification },
  });
});

const penceOf = (line: { CreditDebitIndicator: string; Amount: { Amount: string } }): bigint => {
  const pence = BigInt(line.Amount.Amount.replace('.', ''));
  return line.CreditDebitIndicator === 'Debit' ? -pence : pence;
};

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { longTest } from '../../../../test/harness/long-test.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { seedPayments } from '../../../../tools/bench/seed/seed-payments.ts';
import { merchantRoutes } from './merchant-routes.ts';

// Every transaction has a word that starts with "ord"; in a long run 10,200 each have "gold" and "silver",
// and only the oldest seven of these have both.
const rows = isLongRun ? 20_400 : 10_200;
const both = 7;
const noRails = { bankRails: { find: () => null, need: () => Promise.reject() as never } };
let service: TestService;
let client: pg.Client;

beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes({ ...tools, ...noRails }) });
  const url = service.databaseUrl;
  client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  const { merchantId } = service.sandbox;
  const storeId = service.merchant.storeIds.SANDBOX;
  await seedPayments({ url, merchantId, secretId: merchantId, storeId, rows });
  if (!isLongRun) return;
  await client.query(addWord('gold', `number > ${rows / 2} - ${both}`));
  await client.query(addWord('silver', `number <= ${rows / 2}`));
});
afterAll(async () => {
  await client.end();
  await service.close();
});

const addWord = (word: string, where: string) => `
  with numbered as (
    select i.*, row_number() over (order by created_at) as number from transaction_item i),
  named as (
    update transaction_item i set words = i.words || ' ${word}' from numbered n
    where ${where} and i.payment_request_id = n.payment_request_id
    returning i.*)
  insert into transaction_word (merchant_id, environment, word, created_at, payment_request_id,
    position, shared)
  select merchant_id, environment, '${word}', created_at, payment_request_id, position, 0 from named`;

const search = (body: object, query = '') =>
  service.request('POST', `/api/payments/transactions${query}`, { body });
const idsOf = (body: { data: { paymentRequestId: string }[] }) =>
  body.data.map(({ paymentRequestId }) => paymentRequestId);
const matching = async (where: string): Promise<string[]> => {
  const { rows: found } = await client.query(
    `select payment_request_id as id from transaction_item i where ${where}
     order by created_at desc, payment_request_id`,
  );
  return found.map(({ id }) => id);
};
const dayBefore = (days: number): string =>
  new Date(systemClock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);

describe('a word in more than 10,000 transactions', () => {
  test.each(isLongRun ? ['ord', 'gold', 'gol', 'SILVER'] : ['ord'])(
    '%s is counted to 10,000',
    async (text) => {
      const expected = await matching(`words like '% ${text.toLowerCase()}%'`);
      expect(expected.length).toBeGreaterThan(10_000);
      for (const page of [0, 3, 499]) {
        const { body } = await search({ search: text }, `?page=${page}`);
        expect(body).toMatchObject({ totalCount: 10_000, totalCountIsMinimum: true, page });
        expect(idsOf(body)).toEqual(expected.slice(page * 20, page * 20 + 20));
      }
    },
  );

  longTest.each([
    ['a rarer word', { search: 'ord smith' }, "words like '% smith%'"],
    ['a few days', { search: 'gold', fromDate: dayBefore(20) }, 'true'],
    ['a rare status', { search: 'gold', status: ['PENDING'] }, "status = 'PENDING'"],
    [
      'a word that rarely comes with it',
      { search: 'gold silver' },
      `words like '% gold%' and words like '% silver%'`,
    ],
  ])('together with %s has an exact total', async (_, body, where) => {
    const days = 'fromDate' in body ? ` and london_day(created_at) >= '${body.fromDate}'` : '';
    const expected = await matching(`(${where})${days}`);
    const found = await search(body);
    expect(found.body.totalCount).toBe(expected.length);
    expect(found.body).not.toHaveProperty('totalCountIsMinimum');
    expect(idsOf(found.body)).toEqual(expected.slice(0, 20));
  });

  longTest.each([
    ['another common word', { search: 'gold ord' }, "words like '% gold%'"],
    ['a status', { search: 'ord', status: ['COMPLETED'] }, "status = 'COMPLETED'"],
    [
      'a method',
      { search: 'gold', paymentMethod: ['PAY_BY_BANK'] },
      "words like '% gold%' and method = 'PAY_BY_BANK'",
    ],
  ])('together with %s has a total that is a minimum', async (_, body, where) => {
    const expected = await matching(where);
    for (const page of [0, 60]) {
      const found = await search(body, `?page=${page}`);
      expect(found.body.totalCountIsMinimum).toBe(true);
      expect(found.body.totalCount).toBeGreaterThanOrEqual(page * 20 + 20);
      expect(found.body.totalCount).toBeLessThanOrEqual(10_000);
      expect(idsOf(found.body)).toEqual(expected.slice(page * 20, page * 20 + 20));
    }
  });
});

longTest('a bank that many have has a total that is a minimum, and full pages', async () => {
  const expected = await matching("institution_id = 'mock-sandbox-v1'");
  for (const page of [0, 480]) {
    const { body } = await search({ institutionIds: ['mock-sandbox-v1'] }, `?page=${page}`);
    expect(body.totalCountIsMinimum).toBe(true);
    expect(body.totalCount).toBeGreaterThanOrEqual(page * 20 + 20);
    expect(body.totalCount).toBeLessThanOrEqual(10_000);
    expect(idsOf(body)).toEqual(expected.slice(page * 20, page * 20 + 20));
  }
});

test.each([
  ['?page=500', { minAmount: 1 }],
  ['?page=500', { search: 'ord' }],
  ['?page=100&size=100', { search: 'nothing' }],
])('a text page past 10,000 is rejected: %s', async (query, body) => {
  const refused = await search(body, query);
  expect(refused).toMatchObject({ status: 400, body: { name: 'BAD_REQUEST' } });
  expect(refused.body.errors).toEqual([{ field: 'page', message: expect.stringMatching(/dates/) }]);
});

test('a page past 10,000 without text is found', async () => {
  const { body } = await search({}, '?page=505');
  expect(body).toMatchObject({ totalCount: rows, page: 505 });
  expect(body.data).toHaveLength(20);
});

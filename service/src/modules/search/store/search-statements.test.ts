import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { seedPayments } from '../../../../../tools/bench/seed/seed-payments.ts';
import { leadValues, textValues } from '../search-words.ts';
import { countWords } from './count-words.ts';
import { searchByDay, searchByDayAndStatus } from './search-by-day.ts';
import { searchByDetail, searchByDetailAndStatus } from './search-by-detail.ts';
import { filterByWord, searchByWord } from './search-by-word.ts';
import * as candidates from './search-candidates.ts';

const rows = 5_000;
let service: TestService;
beforeAll(async () => {
  service = await openTestService();
  const { merchantId } = service.sandbox;
  const storeId = service.merchant.storeIds.SANDBOX;
  await seedPayments({ url: service.databaseUrl, merchantId, secretId: merchantId, storeId, rows });
});
afterAll(() => service.close());

const base = {
  fromDay: '-infinity',
  toDay: 'infinity',
  statuses: null,
  methods: null,
  storeIds: null,
  customerIds: null,
  minPence: null,
  maxPence: null,
  institutionIds: null,
  size: 20,
  skipped: 0,
};

describe('no statement reads a whole table', () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const text = {
    ...textValues(['smith', 'ada']),
    ...leadValues('smith', ['smith'], 'ada'),
    maxCandidates: 10_000,
  };
  const detail = { institutionIds: ['rare-bank'], maxCandidates: 100 };
  test.each([
    ['by day', searchByDay, {}],
    ['by day and status', searchByDayAndStatus, { statuses: ['FAILED'] }],
    ['by detail', searchByDetail, detail],
    ['by detail and status', searchByDetailAndStatus, { ...detail, statuses: ['FAILED'] }],
    ['counted words', countWords, { words: ['ord', 'ada'], maxItems: 10_001, maxWholeWords: 8 }],
    ['by customer', candidates.searchByCustomer, { customerIds: [unknown], maxCandidates: null }],
    ['newest', candidates.searchNewest, text],
    ['by status', candidates.searchByStatus, { ...text, statuses: ['FAILED'] }],
    ['prefix', searchByWord.wholePrefix, { ...text, maxCandidates: null }],
    ['whole words', searchByWord.newestOfWholeWords, text],
    ['by prefix', filterByWord.wholePrefix, { ...text, maxCandidates: null }],
    [
      'by prefix of a status',
      filterByWord.wholePrefixOfStatus,
      { ...text, statuses: ['FAILED'], maxCandidates: null },
    ],
    ['by two prefixes', filterByWord.twoPrefixes, { ...text, maxCandidates: null }],
    ['by whole words', filterByWord.newestOfWholeWords, text],
  ])('%s', async (_, tested, more) => {
    const values: Record<string, unknown> = { ...base, ...service.sandbox, ...more };
    const tenant = new pg.Client({
      connectionString: service.databaseUrl,
      options: '-c role=florin_tenant -c search_path=florin -c plan_cache_mode=force_generic_plan',
    });
    await tenant.connect();
    const { merchantId } = service.sandbox;
    await tenant.query("select set_config('florin.merchants', $1, false)", [`{${merchantId}}`]);
    const { rows: plan } = await tenant.query({
      text: `explain ${tested.text}`,
      values: tested.valueNames.map((name) => values[name] ?? null),
    });
    await tenant.end();
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).not.toMatch(/Seq Scan on (transaction_(item|word)|attempt|payment_request)/);
  });
});

test('a word with a status reads no payment that has another', async () => {
  const client = new pg.Client({
    connectionString: service.databaseUrl,
    options: '-c search_path=florin',
  });
  await client.connect();
  const readBy = async ({ text, valueNames }: typeof filterByWord.wholePrefix) => {
    const given: Record<string, unknown> = {
      ...{ ...base, ...service.sandbox, ...textValues(['ord']), ...leadValues('ord', null, null) },
      ...{ statuses: ['FAILED'], maxCandidates: null },
    };
    const values = valueNames.map((name) => given[name] ?? null);
    const { rows: found } = await client.query({ text, values });
    const { rows: plan } = await client.query({
      text: `explain (analyze, buffers, costs off, timing off, format json) ${text}`,
      values,
    });
    const [{ Plan }] = plan[0]['QUERY PLAN'];
    return { total: found[0].total, pages: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'] };
  };
  const [all, few] = [
    await readBy(filterByWord.wholePrefix),
    await readBy(filterByWord.wholePrefixOfStatus),
  ];
  expect(few.total).toBe(all.total);
  expect(few.pages).toBeLessThan(all.pages / 3);
  await client.end();
});

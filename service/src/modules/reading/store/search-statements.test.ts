import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { seedPayments } from '../../../../../tools/bench/seed-payments.ts';
import { textValues } from '../read-search-text.ts';
import { searchByBeginnings } from './search-by-beginnings.ts';
import * as statements from './search-statements.ts';

const rows = 5_000;
let service: TestService;
beforeAll(async () => {
  service = await openTestService();
  const { merchantId } = service.sandbox;
  const storeId = service.merchant.storeIds.SANDBOX;
  await seedPayments({ url: service.databaseUrl, merchantId, secretId: merchantId, storeId, rows });
});
afterAll(() => service.close());

describe('no statement reads a whole table', () => {
  const base = {
    fromDay: null,
    toDay: null,
    statuses: null,
    methods: null,
    storeIds: null,
    customerIds: null,
    size: 20,
    skipped: 0,
  };
  test.each([
    ['by day', statements.searchByDay, {}],
    [
      'by customer',
      statements.searchByCustomer,
      { customerIds: ['00000000-0000-4000-8000-000000000000'] },
    ],
    [
      'by customer and text',
      statements.searchByCustomerAndText,
      {
        ...textValues('smith', ['ada']),
        customerIds: ['00000000-0000-4000-8000-000000000000'],
      },
    ],
    ['by beginnings', searchByBeginnings, textValues('smith', ['ada'])],
    ['by state', statements.searchByState, { statuses: ['FAILED'] }],
    ['by beginning', statements.searchByBeginning, textValues('ord', [])],
    [
      'by beginning and state',
      statements.searchByBeginningAndState,
      { ...textValues('ord', []), statuses: ['FAILED'] },
    ],
    ['counted beginnings', statements.countedBeginnings, { words: ['ord', 'ada'] }],
    ['by word', statements.searchByWord, textValues('name4711', [])],
    [
      'by text',
      statements.searchByText,
      { ...textValues('name4711', ['ada']), statuses: ['FAILED'] },
    ],
  ])('%s', async (_, asked, more) => {
    const values: Record<string, unknown> = { ...base, ...service.sandbox, ...more };
    const tenant = new pg.Client({
      connectionString: service.databaseUrl,
      options: '-c role=florin_tenant -c search_path=florin -c plan_cache_mode=force_generic_plan',
    });
    await tenant.connect();
    const { merchantId } = service.sandbox;
    await tenant.query("select set_config('florin.merchants', $1, false)", [`{${merchantId}}`]);
    const { rows: plan } = await tenant.query({
      text: `explain ${asked.text}`,
      values: asked.valueNames.map((name) => values[name] ?? null),
    });
    await tenant.end();
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).not.toMatch(
      /Seq Scan on (transaction_(item|word|beginning|day)|attempt|payment_request)/,
    );
  });
});

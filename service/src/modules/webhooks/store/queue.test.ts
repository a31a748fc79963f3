import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { emitMany } from '../../../../../test/webhooks/emit.ts';
import { merchantRoutes } from '../index.ts';
import { completeAttempts } from './complete.ts';
import { claimDue, discoverReady } from './queue.ts';

let service: TestService;
let client: pg.Client;
const endpointIds: string[] = [];
/** As the service's own sessions across merchants. */
const planner = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off'];

beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
  for (let each = 0; each < 5; each += 1) {
    const merchant = await service.newMerchant();
    const { secret } = merchant.secrets.SANDBOX;
    const body = { url: 'https://shop.example/', events: ['PAYMENTS_STATUS'] };
    const made = await service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
    endpointIds.push(made.body.id);
    const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
    await emitMany(service.database, tenant, 2_000);
  }
  client = new pg.Client({
    connectionString: service.databaseUrl,
    options: ['search_path=florin', 'role=florin_system', ...planner]
      .map((setting) => `-c ${setting}`)
      .join(' '),
  });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.close();
});

const planOf = async (text: string, values: readonly string[]): Promise<string> => {
  await client.query(`prepare asked as ${text}`);
  const called = values.length === 0 ? 'asked' : `asked (${values.join(', ')})`;
  const { rows } = await client.query(`explain (costs off) execute ${called}`);
  await client.query('deallocate asked');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

const claimValues = () => {
  const written = {
    endpointIds: `'{${endpointIds.join(',')}}'`,
    slots: `'{${endpointIds.map(() => 8).join(',')}}'`,
    afters: `'{${endpointIds.map(() => '-infinity').join(',')}}'`,
    leaseMs: '20000',
  };
  return claimDue.valueNames.map((name) => written[name]);
};

test.each([
  ['before the table was ever analysed', null],
  ['with statistics of a full table', 'analyze'],
])('claim and discover go by the queue index alone, %s', async (_, before) => {
  if (before) {
    const admin = new pg.Client({ connectionString: service.databaseUrl });
    await admin.connect();
    await admin.query(before);
    await admin.end();
  }
  const claim = await planOf(claimDue.text, claimValues());
  expect(claim).toContain('Index Scan using delivery_queue on delivery');
  expect(claim).toContain('Tid Scan on delivery');
  expect(claim).toMatch(/Index Scan using event_body_\d+_\d+_pkey/);
  expect(claim).not.toMatch(/Seq Scan on delivery\b/);
  const complete = await planOf(
    completeAttempts.text,
    completeAttempts.valueNames.map(() => `'[]'`),
  );
  expect(complete).toContain('Index Scan using delivery_pkey on delivery d');
  expect(complete).toMatch(/Update on delivery d.*\n.*\n(.*\n)?.*Tid Scan on delivery d/);
  const discover = await planOf(discoverReady.text, []);
  expect(discover).toMatch(/Index (Only )?Scan using delivery_queue on delivery/);
  expect(discover).not.toMatch(/Seq Scan on delivery/);
});

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../../test/harness/open-test-service.ts';
import { emitMany } from '../../../../../../test/webhooks/emit.ts';
import type { Tenant } from '../../../../kernel/environment.ts';
import { merchantRoutes } from '../../index.ts';
import { completeAttempts } from './complete.ts';
import { claimDue, discoverReady } from './queue.ts';

let service: TestService;
let client: pg.Client;
const endpointIds: string[] = [];
const tenants: Tenant[] = [];
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
    tenants.push({ merchantId: merchant.merchantId, environment: 'SANDBOX' });
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
  await client.query(`prepare tested as ${text}`);
  const called = values.length === 0 ? 'tested' : `tested (${values.join(', ')})`;
  const { rows } = await client.query(`explain (costs off) execute ${called}`);
  await client.query('deallocate tested');
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

const analyse = async () => {
  const admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  await admin.query('analyze');
  await admin.end();
};

const fill = async () => {
  for (const tenant of tenants) await emitMany(service.database, tenant, 2_000);
};

/** Scans of a partition of deliveries, each with the condition that leads it. */
const scansOf = (plan: string): readonly string[] => {
  const lines = plan.split('\n').map((line) => line.trim().replace(/^->\s+/, ''));
  return lines.flatMap((line, at) =>
    /Scan (using \w+ )?on delivery_\w+/.test(line) && !/^(Update|Insert)/.test(line)
      ? [`${line} ${lines[at + 1]}`]
      : [],
  );
};

test.each([
  ['over an empty table', async () => undefined],
  ['over a full table that was never analysed', fill],
  ['with statistics', analyse],
])(
  'claim, completion and discovery find rows by index in every partition, %s',
  async (_, prepare) => {
    await prepare();
    const claim = await planOf(claimDue.text, claimValues());
    expect(claim).toMatch(/Index Scan using event_body_\d+_\d+_pkey/);
    const claimed = scansOf(claim);
    expect(claimed.length).toBeGreaterThanOrEqual(10);
    // The queue by endpoint and time, then the row by its key.
    const byKey = /Index Cond: .*\b(delivery_id|event_id) = /;
    const byQueue = /Index Cond: .*endpoint_id = .*due_at </;
    expect(claimed.filter((scan) => !byKey.test(scan) && !byQueue.test(scan))).toEqual([]);
    const values = completeAttempts.valueNames.map((name) =>
      name === 'healths' ? `'[]'` : `'{}'`,
    );
    const completed = scansOf(await planOf(completeAttempts.text, values));
    // Undelivered deliveries are counted for a mail: of one endpoint, when its deliveries end.
    const counted = /endpoint_id = h_\d\.endpoint_id/;
    const others = completed.filter((scan) => !byKey.test(scan) && !counted.test(scan));
    expect(others).toEqual([]);
    const discovered = scansOf(await planOf(discoverReady.text, []));
    expect(discovered.filter((scan) => !/endpoint_id_due_at_idx/.test(scan))).toEqual([]);
  },
);

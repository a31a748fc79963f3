import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

type TwinOrder = {
  readonly socketFolder: string;
  readonly user: string;
  readonly merchantId: string;
  readonly connections: number;
  readonly seconds: number;
};

type TwinResult = { readonly tool: string; readonly perSecond: number };

/** What a create writes, with nothing around it: the database's own share of the work. */
const twinSql = (merchantId: string): string => `
  with tenant as (select business_now('${merchantId}', 'SANDBOX') as now,
      clock_offset('${merchantId}', 'SANDBOX') as moved),
  chosen_store as (select s.store_id from store s
    where s.merchant_id = '${merchantId}' and s.environment = 'SANDBOX' and s.is_primary),
  request as (insert into payment_request (merchant_id, environment, payment_request_id,
      merchant_customer_reference, order_id, amount_pence, store_id, secret_id, expires_in_ms,
      expires_business_at, expires_at, created_at, updated_at)
    select '${merchantId}', 'SANDBOX', gen_random_uuid(), 'customer-1', 'order-1', 1250,
      chosen_store.store_id, '${merchantId}', 900000, tenant.now + interval '15 minutes',
      tenant.now + interval '15 minutes' - tenant.moved, tenant.now, tenant.now
    from tenant, chosen_store returning payment_request_id),
  directory as (insert into public_id (public_id, kind, merchant_id, environment, target_id)
    select request.payment_request_id::text, 'PAYMENT_REQUEST', '${merchantId}', 'SANDBOX',
      request.payment_request_id from request)
  select payment_request_id from request`;

const oneLine = (text: string): string => `${text.replace(/\s+/g, ' ').trim()};\n`;

export const runTwin = async (order: TwinOrder): Promise<TwinResult> =>
  runPgbench(order) ?? (await runBareLoop(order));

const runPgbench = (order: TwinOrder): TwinResult | null => {
  const script = join(mkdtempSync(join(tmpdir(), 'florin-twin-')), 'create.sql');
  writeFileSync(script, oneLine(twinSql(order.merchantId)));
  const run = spawnSync(
    'pgbench',
    ['-n', '-M', 'prepared', '-f', script, '-T', String(order.seconds)]
      .concat(['-c', String(order.connections), '-j', '1', '-h', order.socketFolder])
      .concat(['-U', order.user, 'florin']),
    {
      encoding: 'utf8',
      env: { ...process.env, PGOPTIONS: '-c search_path=florin -c role=florin_system' },
    },
  );
  const perSecond = Number(/tps = ([\d.]+)/.exec(run.stdout ?? '')?.[1]);
  return perSecond > 0 ? { tool: 'pgbench', perSecond } : null;
};

const runBareLoop = async (order: TwinOrder): Promise<TwinResult> => {
  const pool = new pg.Pool({
    host: order.socketFolder,
    user: order.user,
    database: 'florin',
    max: order.connections,
    options: '-c search_path=florin -c role=florin_system',
  });
  const query = { name: 'twin', text: twinSql(order.merchantId) };
  const startedAt = performance.now();
  const endsAt = startedAt + order.seconds * 1_000;
  let count = 0;
  const drive = async () => {
    for (; performance.now() < endsAt; count += 1) await pool.query(query);
  };
  await Promise.all(Array.from({ length: order.connections }, drive));
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  await pool.end();
  return { tool: 'a bare pg loop', perSecond };
};

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { superuser } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import { seedOpenPayments } from './seed/seed-open-payments.ts';
import { cpuSeconds } from './setup/cpu-seconds.ts';
import { type Product, startProduct } from './setup/product.ts';

const openPayments = Number(process.argv[2] ?? 1_000_000);
const settleMs = 20_000;
const measuredMs = 60_000;
const maxShareOfCore = 0.02;

const seconds = (ms: number): string => (ms / 1_000).toFixed(0);
const say = (line: string) => process.stdout.write(`${line}\n`);

const seed = async ({ pid, demo, socketFolder }: Product): Promise<void> => {
  const url = `postgresql://${superuser}@localhost/florin?host=${encodeURIComponent(socketFolder)}`;
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  const { merchantId } = demo;
  const { rows } = await client.query<{ store_id: string }>(
    `select store_id from store where merchant_id = $1 and environment = 'SANDBOX' limit 1`,
    [merchantId],
  );
  const storeId = rows[0]?.store_id ?? '';
  // Its looks would find the tables without their indexes.
  process.kill(pid, 'SIGSTOP');
  const startedAt = performance.now();
  await seedOpenPayments({ url, merchantId, secretId: merchantId, storeId, rows: openPayments });
  await client.query('checkpoint');
  await client.end();
  process.kill(pid, 'SIGCONT');
  say(`${openPayments} open payments written in ${seconds(performance.now() - startedAt)} s`);
};

const product = await startProduct();
try {
  await seed(product);
  await sleep(settleMs);
  const used = () => [cpuSeconds(product.pid, false), cpuSeconds(product.databasePid, true)];
  const [service = 0, database = 0] = used();
  await sleep(measuredMs);
  const [serviceAfter = 0, databaseAfter = 0] = used();
  const shares = [serviceAfter - service, databaseAfter - database].map(
    (spent) => spent / (measuredMs / 1_000),
  );
  const [ofService = 0, ofDatabase = 0] = shares;
  say(
    `idle with ${openPayments} open payments over ${seconds(measuredMs)} s: ` +
      `service ${(100 * ofService).toFixed(2)} %, ` +
      `database ${(100 * ofDatabase).toFixed(2)} % of a core (goal ${100 * maxShareOfCore} % together)`,
  );
  process.exitCode = ofService + ofDatabase <= maxShareOfCore ? 0 : 1;
} finally {
  await product.stop();
}

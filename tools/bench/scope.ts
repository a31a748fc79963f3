import { loadavg } from 'node:os';
import { cpuSeconds } from './setup/cpu-seconds.ts';
import { load, postText } from './setup/load.ts';
import { type Product, startProduct } from './setup/product.ts';

// `npm run bench scope [rounds] [creates of a round]`: what a create costs where the merchant that a
// statement may see is set in a transaction around it, beside the setting of the session that the product
// uses. By turns, so that what else the machine does weighs on both.
const [rounds = 12, creates = 600] = process.argv.slice(2).map(Number);
const preload = new URL('setup/scope-in-transaction.mjs', import.meta.url).href;

const create = (product: Product, connections: number) =>
  load({
    ...{ port: product.port, connections, seconds: 120, requests: creates },
    request: (count) => {
      const body = { customerId: `customer-${count}`, orderId: `order-${count}`, amount: 12.5 };
      const { sandboxSecret } = product.demo;
      return postText(product.port, '/api/payments/process-payment', sandboxSecret, body);
    },
  });

/** Microseconds of the service and its database. */
const measure = async (product: Product, connections: number): Promise<number> => {
  const used = () => cpuSeconds(product.pid, false) + cpuSeconds(product.databasePid, true);
  const before = used();
  const { requests, failures } = await create(product, connections);
  if (failures > 0) throw new Error(`${failures} of ${requests} creates failed`);
  return Math.round(((used() - before) / requests) * 1e6);
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const compare = async (products: readonly Product[], connections: number): Promise<void> => {
  const pairs: (readonly [session: number, transaction: number])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measured = [0, 0];
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const product = products[at];
      if (product) measured[at] = await measure(product, connections);
    }
    pairs.push([measured[0] ?? 0, measured[1] ?? 0]);
  }
  const ratio = median(pairs.map(([session, transaction]) => transaction / session));
  process.stdout.write(
    `${connections} at once (load ${loadavg()[0]?.toFixed(0)}), µs a create, session -> transaction: ` +
      `${pairs.map(([session, transaction]) => `${session} -> ${transaction}`).join(', ')}; ` +
      `medians ${median(pairs.map(([one]) => one))} -> ${median(pairs.map(([, other]) => other))}, ` +
      `median of the ratios ${ratio.toFixed(3)} (a scope in the transaction was to cost under 1.030)\n`,
  );
};

const products: Product[] = [];
try {
  products.push(await startProduct());
  products.push(await startProduct({ NODE_OPTIONS: `--import=${preload}` }));
  for (const product of products) await create(product, 32);
  for (const connections of [32, 1]) await compare(products, connections);
} finally {
  for (const product of products) await product.stop();
}

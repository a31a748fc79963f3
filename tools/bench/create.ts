import { superuser } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import { cpuSeconds } from './setup/cpu-seconds.ts';
import { inTurn } from './setup/in-turn.ts';
import { load } from './setup/load.ts';
import { type Product, startProduct } from './setup/product.ts';
import { runTwin } from './setup/twin.ts';

const connections = 32;
const rounds = 3;
const warmUpSeconds = 3;
const seconds = 8;
const goalPerSecond = 3_000;

const requestOf = (product: Product) => (count: number) => {
  const body = JSON.stringify({
    customerId: `customer-${count % 1_000}`,
    orderId: `order-${count}`,
    amount: 12.5,
  });
  return (
    `POST /api/payments/process-payment HTTP/1.1\r\nhost: 127.0.0.1:${product.port}\r\n` +
    `authorization: Bearer ${product.demo.sandboxSecret}\r\ncontent-type: application/json\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`
  );
};

const measure = async (product: Product): Promise<number> => {
  const before = [cpuSeconds(product.pid, false), cpuSeconds(product.databasePid, true)];
  const order = { port: product.port, connections, seconds, request: requestOf(product) };
  const result = await load(order);
  const after = [cpuSeconds(product.pid, false), cpuSeconds(product.databasePid, true)];
  const perRequest = (part: 0 | 1) =>
    Math.round((((after[part] ?? 0) - (before[part] ?? 0)) / result.requests) * 1e6);
  const { socketFolder, demo } = product;
  const twin = await runTwin({
    socketFolder,
    user: superuser,
    merchantId: demo.merchantId,
    connections,
    seconds,
  });
  process.stdout.write(
    `create ${Math.round(result.perSecond)}/s, p50 ${result.p50Ms.toFixed(1)} ms, ` +
      `p99 ${result.p99Ms.toFixed(1)} ms, ${result.failures} failed; ` +
      `CPU a request: service ${perRequest(0)} µs, database ${perRequest(1)} µs; ` +
      `twin (${twin.tool}) ${Math.round(twin.perSecond)}/s, ` +
      `ratio ${(result.perSecond / twin.perSecond).toFixed(2)}\n`,
  );
  return result.perSecond;
};

const product = await startProduct();
try {
  await load({
    port: product.port,
    connections,
    seconds: warmUpSeconds,
    request: requestOf(product),
  });
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push(await inTurn(() => measure(product)));
  const median = measured.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  process.stdout.write(
    `median ${Math.round(median)} creates/s at ${connections} connections (goal ${goalPerSecond})\n`,
  );
  process.exitCode = median >= goalPerSecond ? 0 : 1;
} finally {
  await product.stop();
}

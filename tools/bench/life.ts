import { setTimeout as sleep } from 'node:timers/promises';
import { openPayer } from '../../test/harness/open-payer.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
import { type LifeSetup, openLifeSetup } from './open-life-setup.ts';

const warmUp = 20;
const alone = 10;
const together = 120;
const concurrent = 12;
const idleMs = 5_000;
// After its first webhook a payment is polled until it has settled: that is not counted.
const settledMs = 3_000;
const maxCommits = 8;

const say = (line: string) => process.stdout.write(`${line}\n`);

let made = 0;

const call = async ({ product }: LifeSetup, path: string, body: object) => {
  const reply = await fetch(`http://127.0.0.1:${product.port}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${product.demo.sandboxSecret}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as { readonly paymentRequestId: string };
  if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
};

/** From the request to the webhook that says COMPLETED. */
const live = async (setup: LifeSetup): Promise<void> => {
  made += 1;
  const order = { customerId: `customer-${made}`, orderId: `order-${made}`, amount: 12.5 };
  const { paymentRequestId } = await call(setup, '/api/payments/process-payment', order);
  await openPayer(`http://127.0.0.1:${setup.product.port}`).pay(paymentRequestId);
  await waitUntil(async () =>
    setup.receiver.received.some(
      ({ json }) => json.paymentRequestId === paymentRequestId && json.status === 'COMPLETED',
    ),
  );
};

const liveTogether = async (setup: LifeSetup, count: number, lanes: number): Promise<void> => {
  let started = 0;
  const lane = async () => {
    for (; started < count; ) {
      started += 1;
      await live(setup);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};

/** Of idle work, which is taken off. */
const commitsAMs = async (setup: LifeSetup): Promise<number> => {
  const before = await setup.countCommits();
  await sleep(idleMs);
  return ((await setup.countCommits()) - before - 1) / idleMs;
};

const countCommitsOfOne = async (setup: LifeSetup): Promise<number> => {
  await sleep(2 * settledMs);
  const idle = await commitsAMs(setup);
  await setup.forgetStatements();
  let commits = 0;
  for (let each = 0; each < alone; each += 1) {
    const [before, startedAt] = [await setup.countCommits(), performance.now()];
    await live(setup);
    const counted = (await setup.countCommits()) - before - 1;
    commits += counted - idle * (performance.now() - startedAt);
    await sleep(settledMs);
  }
  for (const { query, calls } of await setup.listWrites())
    say(`  ${(calls / alone).toFixed(2)} a payment: ${query}`);
  return commits / alone;
};

const setup = await openLifeSetup();
try {
  await call(setup, '/api/webhook/v2/endpoints', {
    url: setup.receiver.url,
    events: ['PAYMENTS_STATUS'],
  });
  await liveTogether(setup, warmUp, 4);
  const commits = await countCommitsOfOne(setup);
  const [before, startedAt] = [setup.cpu(), performance.now()];
  await liveTogether(setup, together, concurrent);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = setup.cpu();
  const parts = Object.keys(before) as (keyof typeof before)[];
  const used = parts.map((part) => {
    const cpu = after[part] - before[part];
    return `${part} ${((cpu / together) * 1e3).toFixed(1)} ms`;
  });
  say(
    `life ${(together / seconds).toFixed(1)} bank payments/s to webhooks, ${concurrent} at once; ` +
      `CPU a payment: ${used.join(', ')}`,
  );
  say(`commits of one payment ${commits.toFixed(1)} (goal ${maxCommits})`);
  process.exitCode = commits <= maxCommits ? 0 : 1;
} finally {
  await setup.close();
}

import { setTimeout as sleep } from 'node:timers/promises';
import { openPayer } from '../../test/harness/open-payer.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
import {
  countTransactions,
  type LifeCounts,
  type LifeSetup,
  openLifeSetup,
  type Window,
} from './setup/open-life-setup.ts';

const warmUp = 20;
const alone = 10;
const together = 120;
const concurrent = 12;
const idleMs = 5_000;
// After its first webhook a payment is polled until it has settled: that is not counted.
const settledMs = 4_000;

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
const live = async (setup: LifeSetup): Promise<Window> => {
  made += 1;
  const order = { customerId: `customer-${made}`, orderId: `order-${made}`, amount: 12.5 };
  const fromMs = Date.now();
  const { paymentRequestId } = await call(setup, '/api/payments/process-payment', order);
  await openPayer(`http://127.0.0.1:${setup.product.port}`).pay(paymentRequestId);
  await waitUntil(async () =>
    setup.receiver.received.some(
      ({ json }) => json.paymentRequestId === paymentRequestId && json.status === 'COMPLETED',
    ),
  );
  return { fromMs, toMs: Date.now() };
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

/** Ten lives, each alone. */
const countOfOne = async (setup: LifeSetup): Promise<LifeCounts> => {
  await sleep(settledMs);
  await setup.logTransactions(true);
  const idleFromMs = Date.now();
  await sleep(idleMs);
  const idle = { fromMs: idleFromMs, toMs: Date.now() };
  const lives: Window[] = [];
  for (let each = 0; each < alone; each += 1) {
    lives.push(await live(setup));
    await sleep(settledMs);
  }
  await setup.logTransactions(false);
  return countTransactions(await setup.readTransactions(), lives, idle);
};

/** Many lives at the same time. */
const rateOf = async (setup: LifeSetup) => {
  const [before, startedAt] = [setup.cpu(), performance.now()];
  await liveTogether(setup, together, concurrent);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = setup.cpu();
  const ms = (part: keyof typeof before): number =>
    ((after[part] - before[part]) / together) * 1_000;
  return {
    perSecond: together / seconds,
    cpuMs: { service: ms('service'), database: ms('database'), simulator: ms('simulator') },
  };
};

const measure = async (checkout?: string) => {
  const setup = await openLifeSetup(checkout);
  try {
    await call(setup, '/api/webhook/v2/endpoints', {
      url: setup.receiver.url,
      events: ['PAYMENTS_STATUS'],
    });
    await liveTogether(setup, warmUp, 4);
    return { ...(await countOfOne(setup)), ...(await rateOf(setup)) };
  } finally {
    await setup.close();
  }
};

type Measured = Awaited<ReturnType<typeof measure>>;

const row = (title: string, columns: readonly string[]): string =>
  `${title.padEnd(38)}${columns.map((column) => column.padStart(9)).join('')}`;

const print = (titles: readonly string[], measured: readonly Measured[]): void => {
  const figures = (title: string, of: (each: Measured) => number) =>
    say(
      row(
        title,
        measured.map((each) => of(each).toFixed(1)),
      ),
    );
  say(row('a bank payment, create to webhook', titles));
  const names = new Set(measured.flatMap(({ writes }) => [...writes.keys()]));
  for (const name of names) figures(`  ${name}`, ({ writes }) => writes.get(name) ?? 0);
  figures('commits that write', ({ commits }) => commits);
  figures('  and of jobs that all payments share', ({ shared }) => shared);
  figures('transactions that only read', ({ reads }) => reads);
  figures('CPU ms, service', ({ cpuMs }) => cpuMs.service);
  figures('CPU ms, database', ({ cpuMs }) => cpuMs.database);
  figures('CPU ms, simulator', ({ cpuMs }) => cpuMs.simulator);
  figures(`payments/s, ${concurrent} at once`, ({ perSecond }) => perSecond);
};

// `npm run bench life <folder>` also measures an earlier checkout, and prints both.
const [earlier] = process.argv.slice(2);
const before = earlier ? [await measure(earlier)] : [];
const now = await measure();
print([...(earlier ? ['before'] : []), 'now'], [...before, now]);

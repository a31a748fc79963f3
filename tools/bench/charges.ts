import { inTurn } from './setup/in-turn.ts';
import { load } from './setup/load.ts';
import { type ChargesSetup, openChargesSetup } from './setup/open-charges-setup.ts';

const connections = 32;
const rounds = 3;
const warmUp = 800;
const charges = 2_000;
const maxSeconds = 120;
const goalPerSecond = 800;
const wholeCore = 0.9;
const standInWord = 'recorded';

const say = (line: string) => process.stdout.write(`${line}\n`);

let sent = 0;
const requestOf =
  ({ product, card }: ChargesSetup) =>
  (): string => {
    sent += 1;
    const order = { captureType: 'AUTO_CAPTURE', amount: 12.5, orderId: `order-${sent}` };
    const body = JSON.stringify({ ...card, ...order });
    return (
      `POST /api/payments/card/process-payment HTTP/1.1\r\nhost: 127.0.0.1:${product.port}\r\n` +
      `authorization: Bearer ${product.demo.sandboxSecret}\r\ncontent-type: application/json\r\n` +
      `idempotency-key: charge-${sent}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    );
  };

/** From the first request to the moment at which the last charge has its final state. */
const charge = async (setup: ChargesSetup, requests: number) => {
  const before = setup.cpu();
  const completedBefore = await setup.countOf('COMPLETED');
  const startedAt = performance.now();
  const { port } = setup.product;
  const request = requestOf(setup);
  const taken = await load({ port, connections, seconds: maxSeconds, requests, request });
  await setup.untilAllEnded();
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = setup.cpu();
  const completed = (await setup.countOf('COMPLETED')) - completedBefore;
  return { before, after, seconds, completed, taken, perSecond: completed / seconds };
};

const measure = async (setup: ChargesSetup): Promise<number> => {
  const { before, after, seconds, completed, taken, perSecond } = await charge(setup, charges);
  const parts = Object.keys(before) as (keyof typeof before)[];
  const used = parts.map((part) => {
    const cpu = after[part] - before[part];
    return `${part} ${Math.round((cpu / completed) * 1e6)} µs (${Math.round((cpu / seconds) * 100)} %)`;
  });
  say(
    `charges ${Math.round(perSecond)}/s to their final state (${completed} of ${taken.requests} completed, ` +
      `${taken.failures} refused), taken ${Math.round(taken.perSecond)}/s, ` +
      `p50 ${taken.p50Ms.toFixed(1)} ms, p99 ${taken.p99Ms.toFixed(1)} ms; ` +
      `CPU a charge (and of a core): ${used.join(', ')}`,
  );
  if ((after.simulator - before.simulator) / seconds > wholeCore)
    say('the simulated processor was the bottleneck: its one thread had no time left');
  return perSecond;
};

/** The goal is the product's: a processor on the same two cores takes more than half of them. */
const run = async (withStandIn: boolean): Promise<number> => {
  say(
    withStandIn
      ? 'against a stand-in that answers every charge with one that was recorded: no books, no events'
      : 'against the simulated processor in a process of its own, on the same cores, with its events',
  );
  const setup = await openChargesSetup(withStandIn);
  try {
    await charge(setup, warmUp);
    await setup.analyze();
    const measured: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      measured.push(await inTurn(() => measure(setup)));
    const [min = 0, median = 0, max = 0] = measured.sort((a, b) => a - b).map(Math.round);
    const goal = withStandIn ? ` (goal ${goalPerSecond})` : '';
    say(`median ${median} charges/s, min ${min}, max ${max}${goal}`);
    return median;
  } finally {
    await setup.close();
  }
};

const median = await run(true);
if (!process.argv.includes(standInWord)) await run(false);
process.exitCode = median >= goalPerSecond ? 0 : 1;

import { setTimeout as sleep } from 'node:timers/promises';
import { startDispatcher } from '../../service/src/modules/webhooks/index.ts';
import { notifyWakes } from '../../service/src/platform/database/wakes.ts';
import { startDispatcherProcess } from '../../test/webhooks/dispatcher-process.ts';
import { draftOf, emit, emitMany } from '../../test/webhooks/emit.ts';
import { cpuSeconds } from './setup/cpu-seconds.ts';
import { inTurn } from './setup/in-turn.ts';
import {
  addEndpoints,
  type Endpoint,
  openWebhooksSetup,
  type WebhooksSetup,
} from './setup/open-webhooks-setup.ts';

const endpointCount = 60;
const drained = 40_000;
const drains = 3;
const perSecond = 200;
const latencySeconds = 10;
const idleSeconds = 10;

const say = (line: string) => process.stdout.write(`${line}\n`);

const percentile = (values: readonly number[], share: number): number =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const cpu = (setup: WebhooksSetup) => ({
  service: cpuSeconds(process.pid, false),
  database: cpuSeconds(setup.databasePid, true),
  receiver: cpuSeconds(setup.receiver.pid, false),
});

/** Claim, sign, POST, log: how fast a backlog is worked off, on the cores that the receiver shares. */
const drain = async (setup: WebhooksSetup, endpoints: readonly Endpoint[]): Promise<number> => {
  const each = Math.ceil(drained / endpoints.length);
  await setup.receiver.forget();
  for (const { tenant } of endpoints) await emitMany(setup.tools.database, tenant, each);
  const total = each * endpoints.length;
  const before = cpu(setup);
  const started = performance.now();
  const dispatcher = startDispatcher(setup.tools);
  while ((await setup.receiver.count()).distinct < total) await sleep(20);
  const seconds = (performance.now() - started) / 1000;
  await dispatcher.stop();
  const after = cpu(setup);
  const used = (part: keyof typeof after) =>
    Math.round(((after[part] - before[part]) / total) * 1e6);
  const { hits, verified, refused } = await setup.receiver.count();
  if (refused > 0 || verified === 0) throw new Error(`${refused} signatures are wrong`);
  say(
    `drain ${Math.round(total / seconds)} deliveries/s (${total} to ${endpoints.length} endpoints, ` +
      `${hits - total} twice); CPU a delivery: service ${used('service')} µs, ` +
      `database ${used('database')} µs, receiver ${used('receiver')} µs`,
  );
  return total / seconds;
};

type Delivering = {
  readonly wake: (endpointIds: readonly string[]) => void;
  readonly stop: () => Promise<void>;
};

const inThisProcess = ({ tools }: WebhooksSetup): Delivering => startDispatcher(tools);

/** Its own worker, woken as an API process wakes it. */
const inAnotherProcess = async ({ url, masterKey, tools }: WebhooksSetup): Promise<Delivering> => {
  const worker = await startDispatcherProcess({
    ...{ databaseUrl: url, masterKey, leaseMs: 20_000 },
    isFromSources: true,
  });
  return { wake: notifyWakes(tools), stop: () => worker.kill('SIGTERM') };
};

/** From the commit of an event to its arrival, at a fixed rate. */
const latency = async (
  setup: WebhooksSetup,
  endpoints: readonly Endpoint[],
  label: string,
  open: (setup: WebhooksSetup) => Delivering | Promise<Delivering> = inThisProcess,
) => {
  await setup.receiver.forget();
  const dispatcher = await open(setup);
  await sleep(300);
  const committed = new Map<string, number>();
  const started = performance.now();
  for (let count = 0; count < perSecond * latencySeconds; count += 1) {
    const waitMs = started + (count * 1000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const endpoint = endpoints[count % endpoints.length];
    if (!endpoint) continue;
    const draft = draftOf();
    void emit(setup.tools.database, endpoint.tenant, [draft]).then((woken) => {
      committed.set(draft.eventId, performance.timeOrigin + performance.now());
      dispatcher.wake(woken);
    });
  }
  await sleep(500);
  const arrived = await setup.receiver.times();
  await dispatcher.stop();
  const waits = [...committed]
    .map(([id, at]) => (arrived.get(id) ?? Number.POSITIVE_INFINITY) - at)
    .sort((a, b) => a - b);
  say(
    `${label}: commit to receipt p50 ${percentile(waits, 0.5).toFixed(1)} ms, ` +
      `p99 ${percentile(waits, 0.99).toFixed(1)} ms, max ${waits.at(-1)?.toFixed(1)} ms ` +
      `(${waits.length} at ${perSecond}/s)`,
  );
};

const idle = async (setup: WebhooksSetup) => {
  const dispatcher = startDispatcher(setup.tools);
  await sleep(1_000);
  const before = cpu(setup);
  await sleep(idleSeconds * 1000);
  const after = cpu(setup);
  await dispatcher.stop();
  const share = (part: 'service' | 'database') =>
    (((after[part] - before[part]) / idleSeconds) * 100).toFixed(2);
  say(`idle: service ${share('service')} % of a core, database ${share('database')} %`);
};

const waits = async (setup: WebhooksSetup, endpoints: readonly Endpoint[]) => {
  await latency(setup, endpoints, 'quiet');
  await latency(setup, endpoints, 'worker in another process', inAnotherProcess);
  const hanging = await addEndpoints(setup, 10, '/hang');
  for (const { tenant } of hanging) await emitMany(setup.tools.database, tenant, 300);
  await latency(setup, endpoints, 'beside ten hanging endpoints with 3000 events');
  await setup.admin.query(`update delivery set state = 'CANCELLED' where state = 'PENDING'`);
  await idle(setup);
};

// npm run bench webhooks [drain]: all of it, or the rate alone.
const setup = await openWebhooksSetup();
try {
  const endpoints = await addEndpoints(setup, endpointCount);
  const rates: number[] = [];
  say('the first while the service is being compiled, not counted:');
  await drain(setup, endpoints);
  for (let round = 0; round < drains; round += 1)
    rates.push(await inTurn(() => drain(setup, endpoints)));
  if (process.argv[2] !== 'drain') await inTurn(() => waits(setup, endpoints));
  rates.sort((a, b) => a - b);
  say(`median ${Math.round(percentile(rates, 0.5))} deliveries/s (goal 8000)`);
} finally {
  await setup.close();
}

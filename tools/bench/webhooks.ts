import { setTimeout as sleep } from 'node:timers/promises';
import { startDispatcher } from '../../service/src/modules/webhooks/index.ts';
import { notifyWakes } from '../../service/src/platform/database/notify-wakes.ts';
import { startDispatcherProcess } from '../../test/webhooks/dispatcher-process.ts';
import { draftOf, emit, emitMany } from '../../test/webhooks/emit.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import {
  addEndpoints,
  type Endpoint,
  openWebhooksSetup,
  type WebhooksSetup,
} from './open-webhooks-setup.ts';

const endpointCount = 60;
const drained = 40_000;
const drains = 3;
const perSecond = 200;
const latencySeconds = 10;
const idleSeconds = 10;

const say = (line: string) => process.stdout.write(`${line}\n`);

const percentile = (values: readonly number[], share: number): number =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const cpu = (world: WebhooksSetup) => ({
  service: cpuSeconds(process.pid, false),
  database: cpuSeconds(world.databasePid, true),
  receiver: cpuSeconds(world.receiver.pid, false),
});

/** Claim, sign, POST, log: how fast a backlog is worked off, on the cores that the receiver shares. */
const drain = async (world: WebhooksSetup, endpoints: readonly Endpoint[]): Promise<number> => {
  const each = Math.ceil(drained / endpoints.length);
  await world.receiver.forget();
  for (const { tenant } of endpoints) await emitMany(world.tools.database, tenant, each);
  const total = each * endpoints.length;
  const before = cpu(world);
  const started = performance.now();
  const dispatcher = startDispatcher(world.tools);
  while ((await world.receiver.count()).distinct < total) await sleep(20);
  const seconds = (performance.now() - started) / 1000;
  await dispatcher.stop();
  const after = cpu(world);
  const used = (part: keyof typeof after) =>
    Math.round(((after[part] - before[part]) / total) * 1e6);
  const { hits, verified, refused } = await world.receiver.count();
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

/** A worker of its own, told of events as an API process tells it. */
const inAnotherProcess = async ({ url, masterKey, tools }: WebhooksSetup): Promise<Delivering> => {
  const worker = await startDispatcherProcess({ databaseUrl: url, masterKey, leaseMs: 20_000 });
  return { wake: notifyWakes(tools), stop: () => worker.kill('SIGTERM') };
};

/** From the commit of an event to its arrival, at a fixed rate. */
const latency = async (
  world: WebhooksSetup,
  endpoints: readonly Endpoint[],
  label: string,
  open: (world: WebhooksSetup) => Delivering | Promise<Delivering> = inThisProcess,
) => {
  await world.receiver.forget();
  const dispatcher = await open(world);
  await sleep(300);
  const committed = new Map<string, number>();
  const started = performance.now();
  for (let count = 0; count < perSecond * latencySeconds; count += 1) {
    const waitMs = started + (count * 1000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const endpoint = endpoints[count % endpoints.length];
    if (!endpoint) continue;
    const draft = draftOf();
    void emit(world.tools.database, endpoint.tenant, [draft]).then((woken) => {
      committed.set(draft.eventId, performance.timeOrigin + performance.now());
      dispatcher.wake(woken);
    });
  }
  await sleep(500);
  const arrived = await world.receiver.times();
  await dispatcher.stop();
  const waits = [...committed]
    .map(([id, at]) => (arrived.get(id) ?? Number.POSITIVE_INFINITY) - at)
    .sort((a, b) => a - b);
  say(
    `${label}: commit to receipt p50 ${percentile(waits, 0.5).toFixed(1)} ms, ` +
      `p99 ${percentile(waits, 0.99).toFixed(1)} ms, most ${waits.at(-1)?.toFixed(1)} ms ` +
      `(${waits.length} at ${perSecond}/s)`,
  );
};

const idle = async (world: WebhooksSetup) => {
  const dispatcher = startDispatcher(world.tools);
  await sleep(1_000);
  const before = cpu(world);
  await sleep(idleSeconds * 1000);
  const after = cpu(world);
  await dispatcher.stop();
  const share = (part: 'service' | 'database') =>
    (((after[part] - before[part]) / idleSeconds) * 100).toFixed(2);
  say(`idle: service ${share('service')} % of a core, database ${share('database')} %`);
};

const waits = async (world: WebhooksSetup, endpoints: readonly Endpoint[]) => {
  await latency(world, endpoints, 'quiet');
  await latency(world, endpoints, 'worker in another process', inAnotherProcess);
  const hanging = await addEndpoints(world, 10, '/hang');
  for (const { tenant } of hanging) await emitMany(world.tools.database, tenant, 300);
  await latency(world, endpoints, 'beside ten hanging endpoints with 3000 events');
  await world.admin.query(`update delivery set state = 'CANCELLED' where state = 'PENDING'`);
  await idle(world);
};

// npm run bench webhooks [drain]: all of it, or the rate alone.
const world = await openWebhooksSetup();
try {
  const endpoints = await addEndpoints(world, endpointCount);
  const rates: number[] = [];
  say('the first while the service is being compiled, not counted:');
  await drain(world, endpoints);
  for (let round = 0; round < drains; round += 1) rates.push(await drain(world, endpoints));
  if (process.argv[2] !== 'drain') await waits(world, endpoints);
  rates.sort((a, b) => a - b);
  say(`median ${Math.round(percentile(rates, 0.5))} deliveries/s (goal 8000)`);
} finally {
  await world.close();
}

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { claimDue } from '../../service/src/modules/webhooks/delivery/store/queue.ts';
import { type Dispatcher, startDispatcher } from '../../service/src/modules/webhooks/index.ts';
import type { Statement } from '../../service/src/platform/database/statement.ts';
import { emitMany } from '../../test/webhooks/emit.ts';
import {
  addEndpoints,
  type Endpoint,
  openWebhooksSetup,
  type WebhooksSetup,
} from './setup/open-webhooks-setup.ts';

const blockedRows = 300_000;
const heldSeconds = 60;
const perSecond = 1_000;
const goalMs = 2;

/** The claim's name has the generation of its plan behind it. */
const claims = new RegExp(`^${claimDue.name}_\\d+$`);

const say = (line: string) => process.stdout.write(`${line}\n`);

const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** Every claim of the dispatcher, timed; the rest of its statements pass unchanged. */
const timedClaims = (setup: WebhooksSetup) => {
  const took: { readonly atMs: number; readonly ms: number }[] = [];
  const { database } = setup.tools;
  const system = async <Values, Row>(statement: Statement<Values, Row>, values: Values) => {
    const started = performance.now();
    const rows = await database.system(statement, values);
    if (claims.test(statement.name)) took.push({ atMs: started, ms: performance.now() - started });
    return rows;
  };
  return { took, tools: { ...setup.tools, database: { ...database, system } } };
};

/** The database's own time of a claim since the last read, on average. */
const claimCost = async ({ admin }: WebhooksSetup): Promise<string> => {
  const { rows } = await admin.query(
    `select sum(total_exec_time) / greatest(sum(calls), 1) as ms from public.pg_stat_statements
     where query like 'with due as materialized%'`,
  );
  await admin.query('select public.pg_stat_statements_reset()');
  return `${Number(rows[0]?.ms ?? 0).toFixed(2)} ms in the database`;
};

/** Each commit wakes the dispatcher, as the product's do. */
const emitSteadily = async (
  setup: WebhooksSetup,
  endpoints: readonly Endpoint[],
  seconds: number,
  { wake }: Dispatcher,
) => {
  const dispatcherTurns = (seconds * perSecond) / 10;
  const started = performance.now();
  for (let turn = 0; turn < dispatcherTurns; turn += 1) {
    const waitMs = started + (turn * 10_000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const endpoint = endpoints[turn % endpoints.length];
    if (endpoint) wake(await emitMany(setup.tools.database, endpoint.tenant, 10));
  }
};

/** Rows that wait for a hanging endpoint do not slow the claims of the others. */
const blocked = async (setup: WebhooksSetup): Promise<number> => {
  const [hanging] = await addEndpoints(setup, 1, '/hang');
  if (!hanging) return Number.NaN;
  for (let batch = 0; batch < blockedRows / 5_000; batch += 1)
    await emitMany(setup.tools.database, hanging.tenant, 5_000);
  const endpoints = await addEndpoints(setup, 20);
  const { took, tools } = timedClaims(setup);
  const dispatcher = startDispatcher(tools);
  await emitSteadily(setup, endpoints, 10, dispatcher);
  await dispatcher.stop();
  const times = took.map(({ ms }) => ms);
  const p50 = percentile(times, 0.5);
  say(
    `${blockedRows} blocked rows: claim p50 ${p50.toFixed(2)} ms, ` +
      `p99 ${percentile(times, 0.99).toFixed(2)} ms (${times.length} claims at ${perSecond}/s), ` +
      `on average ${await claimCost(setup)}`,
  );
  await setup.admin.query(`update delivery set state = 'CANCELLED' where state = 'PENDING'`);
  return p50;
};

/** A long transaction keeps dead rows alive: claims must not walk over them. */
const heldXmin = async (setup: WebhooksSetup): Promise<number> => {
  const endpoints = await addEndpoints(setup, 20);
  const holder = new pg.Client({ connectionString: setup.url });
  await holder.connect();
  await holder.query('begin isolation level repeatable read; select 1');
  const { took, tools } = timedClaims(setup);
  const dispatcher = startDispatcher(tools);
  const started = performance.now();
  const costs: string[] = [];
  for (let third = 0; third < 3; third += 1) {
    await emitSteadily(setup, endpoints, heldSeconds / 3, dispatcher);
    costs.push(await claimCost(setup));
  }
  await dispatcher.stop();
  await holder.query('commit');
  await holder.end();
  const third = (part: number) =>
    took
      .filter(({ atMs }) => Math.floor(((atMs - started) / 1000 / heldSeconds) * 3) === part)
      .map(({ ms }) => ms);
  const p50s = [0, 1, 2].map((part) => percentile(third(part), 0.5));
  say(
    `transaction held open for ${heldSeconds} s at ${perSecond}/s: claim p50 by thirds ` +
      `${p50s.map((ms) => ms.toFixed(2)).join(', ')} ms, ` +
      `p99 ${percentile(
        took.map(({ ms }) => ms),
        0.99,
      ).toFixed(2)} ms; on average ${costs.join(', ')}`,
  );
  return p50s[2] ?? Number.NaN;
};

const setup = await openWebhooksSetup();
try {
  const held = await heldXmin(setup);
  const behind = await blocked(setup);
  process.exitCode = held < goalMs && behind < goalMs ? 0 : 1;
} finally {
  await setup.close();
}

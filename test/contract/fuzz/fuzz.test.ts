import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongRun } from '../../harness/is-long-run.ts';
import { seededRandom } from '../../simulation/seeded-random.ts';
import { findReplyProblem } from './find-reply-problem.ts';
import { generateInput, urns } from './generate-input.ts';
import type { KnownId } from './generate-value.ts';
import { type Fuzzed, openFuzzed } from './open-fuzzed.ts';
import { type Reply, type Sent, send } from './send.ts';

// FUZZ_INPUTS=200000 npm test test/contract/fuzz looks longer; SEED=… repeats a run.
const inputs = Number(process.env.FUZZ_INPUTS ?? (isLongRun ? 20_000 : 500));
// The short run is the same each time, so that what it finds is found before it lands.
const seed = Number(process.env.SEED ?? (isLongRun ? Math.floor(Math.random() * 2 ** 31) : 1));
const lanes = 8;
const maxKnown = 60;
const msPerInput = 30;

let fuzzed: Fuzzed;
beforeAll(async () => {
  fuzzed = await openFuzzed(seed);
});
afterAll(() => fuzzed.close());

type Counts = Map<string, number>;

/** One merchant and one call after the other, so that each change belongs to a call. */
const runLane = async (
  lane: number,
  urn: (typeof urns)[keyof typeof urns],
  counts: Counts,
  wrong: string[],
): Promise<void> => {
  const random = seededRandom(seed + lane * 7_919);
  const { merchant, changes } = await fuzzed.openLane();
  const secrets = {
    SANDBOX: merchant.secrets.SANDBOX.secret,
    PRODUCTION: merchant.secrets.PRODUCTION.secret,
    OPERATOR: fuzzed.operatorSecret,
  };
  const known: KnownId[] = [{ name: 'storeId', id: merchant.storeIds.SANDBOX }];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let at = 0; at < inputs / (lanes + 2) && wrong.length === 0; at += 1) {
    const { operation, sent } = generateInput(urn, { random, known }, secrets);
    const reply = await send(agent, fuzzed.address, sent);
    const changed = unexplained(await changes(), sent, reply);
    const complaint =
      findReplyProblem(operation, reply) ??
      (changed.length > 0 ? `changed ${changed.join(', ')}` : null);
    const key = `${operation.id} ${reply.status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (reply.status === 200) learn(known, reply);
    if (complaint) wrong.push(describeProblem(complaint, sent, reply, `lane ${lane}, input ${at}`));
  }
  agent.destroy();
};

/** What changed though nothing should have: a refusal and a look change nothing. */
const unexplained = (changes: readonly string[], sent: Sent, reply: Reply): readonly string[] => {
  if (reply.status === 200 && sent.method !== 'GET') return [];
  // Expiry: the first call that reads a request after its end records it.
  const isExpiry = reply.text.includes('"REQUEST_TIMEOUT"');
  return isExpiry ? changes.filter((key) => !expiry.test(key)) : changes;
};

const expiry =
  /^UPDATE payment_request$|^INSERT (event|event_body|delivery|payment_history)(_\d|$)/;

const describeProblem = (complaint: string, sent: object, reply: Reply, key: string): string =>
  `SEED=${seed}, ${key}: the reply ${complaint}\n${JSON.stringify(sent).slice(0, 1_500)}\n` +
  `${reply.status} ${reply.text.slice(0, 1_000)}`;

const ids =
  /"(\w+)":"([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|ATOA\w{20,})"/g;

/** Later inputs name what earlier replies describeProblem. */
const learn = (known: KnownId[], reply: Reply): void => {
  for (const [, name = '', id = ''] of reply.text.matchAll(ids))
    if (!known.some((each) => each.id === id && each.name === name)) known.push({ name, id });
  known.splice(1, Math.max(0, known.length - maxKnown));
};

test(`${inputs} corrupted inputs of the contract: no 5xx, no unknown shape, no change by a refusal`, {
  timeout: 60_000 + inputs * msPerInput,
}, async () => {
  process.stdout.write(`fuzz: ${inputs} inputs, SEED=${seed}\n`);
  const counts: Counts = new Map();
  const wrong: string[] = [];
  const run = (lane: number, urn: (typeof urns)[keyof typeof urns]) =>
    runLane(lane, urn, counts, wrong);
  // First, while no other merchant has anything that falls due.
  await run(lanes, urns.alone);
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane, urns.together)));
  // Last, because an operator reaches every merchant.
  await run(lanes + 1, urns.operator);
  expect(wrong).toEqual([]);
  // A fuzz that is always rejected, or never, would prove little.
  const of = (status: string) =>
    [...counts].reduce((sum, [key, n]) => (key.endsWith(status) ? sum + n : sum), 0);
  expect(of(' 200')).toBeGreaterThan(inputs / 10);
  expect(of(' 400')).toBeGreaterThan(inputs / 10);
  if (process.env.FUZZ_COUNTS) process.stdout.write(`${[...counts].sort().join('\n')}\n`);
});

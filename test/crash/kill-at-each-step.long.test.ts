import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReceiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { endsRight } from './ends-right.ts';
import { openRig, type Part, type Rig } from './open-rig.ts';
import { callApi, letTimePass, payPersistently, type Step } from './pay-persistently.ts';

// CRASH_ROUNDS=200 asks for more random moments.
const rounds = Number(process.env.CRASH_ROUNDS ?? 20);
const all: readonly Part[] = ['api', 'worker', 'simulator', 'postgres'];
const patience = { withinMs: 90_000 };

let rig: Rig;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  [rig, receiver] = await Promise.all([openRig({ ownPostgres: {} }), openReceiver()]);
  await callApi(rig, '/api/webhook/merchant', { url: receiver.url, event: 'PAYMENTS_STATUS' });
}, 180_000);
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

/** Killed without warning, then restarted in the order of dependency. */
const killAndRestart = async (parts: readonly Part[]): Promise<void> => {
  await Promise.all(parts.map((part) => rig.kill(part)));
  if (parts.includes('postgres')) await rig.start('postgres');
  await Promise.all(parts.filter((part) => part !== 'postgres').map((part) => rig.start(part)));
  await waitUntil(() => letTimePass(rig).then(() => true), patience);
};

const payWhileKilling = async (
  parts: readonly Part[],
  isTime: (step: Step) => boolean,
  delayMs: number,
): Promise<void> => {
  let killing: Promise<void> | undefined;
  const id = await payPersistently(rig, (step) => {
    if (!killing && isTime(step)) killing = sleep(delayMs).then(() => killAndRestart(parts));
  });
  await killing;
  await endsRight(rig, receiver.received, id);
};

const steps: readonly Step[] = ['create', 'page', 'start', 'at bank', 'return', 'wait', 'webhook'];
type Kill = readonly [step: Step, parts: readonly Part[]];
const noKill: Kill = ['create', []];
const everyKill = steps.flatMap((step): readonly Kill[] => [
  ...all.map((part): Kill => [step, [part]]),
  [step, all],
]);
const kills = [noKill, ...everyKill];

describe('the payment completes after kill -9 and a restart', { timeout: 180_000 }, () => {
  test.each(kills)('at %s: %s', (step, parts) => payWhileKilling(parts, (now) => now === step, 3));

  if (rounds > 0)
    test(`${rounds} rounds at random moments`, { timeout: rounds * 60_000 }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const parts = all.filter(() => Math.random() < 0.5);
        const delayMs = Math.floor(Math.random() * 600);
        await payWhileKilling(parts, (step) => step === 'start', delayMs).catch(
          (error: unknown) => {
            throw new Error(`${parts.join()} after ${delayMs} ms: ${String(error)}`, {
              cause: error,
            });
          },
        );
      }
      expect(receiver.received.length).toBeGreaterThanOrEqual(rounds);
    });
});

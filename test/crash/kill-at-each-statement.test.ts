import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../harness/is-long-run.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { endsRight } from './ends-right.ts';
import { openRig, type Rig } from './open-rig.ts';
import { callApi, letTimePass, payPersistently } from './pay-persistently.ts';

const patience = { withinMs: 90_000, everyMs: 100 };

let rig: Rig;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  [rig, receiver] = await Promise.all([openRig(), openReceiver()]);
  await callApi(rig, '/api/webhook/merchant', { url: receiver.url, event: 'PAYMENTS_STATUS' });
}, 180_000);
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

/**
 * Every statement at which the API waits while money is moving. Changes of the payment: 1 the
 * attempt, 2 its consent, 3 the claim of the code, 4 of the submission, 5 its answer.
 */
const statements = [
  'payment_request_insert 1',
  'payment_commit_change 1',
  'createConsent 1',
  'payment_commit_change 2',
  'readReturn 1',
  'payment_commit_change 3',
  'exchange 1',
  'payment_commit_change 4',
  'submit 1',
  'payment_commit_change 5',
];

// The code is spent, and the money may have moved: `npm run test:long` visits both sides of every statement.
const costliest = ['after payment_commit_change 3', 'after submit 1'];
const sides = isLongRun
  ? statements.flatMap((statement) => [`before ${statement}`, `after ${statement}`])
  : costliest;

describe('the payment completes after the API is killed and restarted', {
  timeout: 120_000,
}, () => {
  test.each(sides)('%s', async (statement) => {
    await rig.kill('api');
    await rig.start('api', { KILL_AT: statement });
    let isKilled = false;
    const restarted = rig.ended('api').then(async () => {
      isKilled = true;
      await rig.start('api');
      await waitUntil(() => letTimePass(rig).then(() => true), patience);
    });
    const id = await payPersistently(rig, () => undefined);
    expect(isKilled).toBe(true);
    await restarted;
    await endsRight(rig, receiver.received, id);
  });
});

/** Sent again with its key, no sooner than the answer allows. */
const sendAgain = (path: string, body: object, key: string) =>
  waitUntil(
    async () => {
      const reply = await fetch(`${rig.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${rig.secret}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      });
      if (reply.status === 200) return true;
      const retryAfterMs = Number(reply.headers.get('retry-after')) * 1_000;
      expect(retryAfterMs).toBeLessThanOrEqual(10_000);
      await sleep(retryAfterMs);
      return false;
    },
    { withinMs: 60_000, everyMs: 100 },
  );

const offsetMs = async () =>
  Number((await callApi(rig, '/api/sandbox/clock', { advanceMs: 0 })).offsetMs);

describe('the API is killed in an operation with a key, which is sent again', {
  timeout: 120_000,
}, () => {
  const killedIn = async (statement: string, path: string, body: object): Promise<void> => {
    await rig.kill('api');
    await rig.start('api', { KILL_AT: statement });
    const restarted = rig.ended('api').then(() => rig.start('api'));
    await sendAgain(path, body, statement.replaceAll(' ', '-'));
    await restarted;
  };

  test('one webhook endpoint is created', async () => {
    const body = { url: receiver.url, events: ['REFUND_STATUS'] };
    await killedIn('after webhook_endpoint_insert 1', '/api/webhook/v2/endpoints', body);
    const { data } = await callApi(rig, '/api/webhook/v2/endpoints');
    const created = (data as { events: readonly { event: string }[] }[]).filter(({ events }) =>
      events.some(({ event }) => event === 'REFUND_STATUS'),
    );
    expect(created).toHaveLength(1);
  });

  test('the clock moves by 24 hours, not 48', async () => {
    const before = await offsetMs();
    const body = { advanceMs: 24 * 3_600_000 };
    await killedIn('after tenant_clock_move 1', '/api/sandbox/clock', body);
    expect((await offsetMs()) - before).toBe(body.advanceMs);
  });
});

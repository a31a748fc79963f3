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
    const restarted = rig.apiEnded().then(async () => {
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

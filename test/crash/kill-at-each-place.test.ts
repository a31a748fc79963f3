import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReceiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { endsRight } from './ends-right.ts';
import { ask, letTimePass, payPersistently } from './persistent-payer.ts';
import { openRig, type Rig } from './rig.ts';

const patience = { withinMs: 90_000, everyMs: 100 };

let rig: Rig;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  [rig, receiver] = await Promise.all([openRig(), openReceiver()]);
  await ask(rig, '/api/webhook/merchant', { url: receiver.url, event: 'PAYMENTS_STATUS' });
}, 180_000);
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

/**
 * Every place at which the API waits while money is on its way. Changes of the
 * payment: 1 the attempt, 2 its consent, 3 the claim of the code, 4 of the submission, 5 its answer.
 */
const places = [
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

// From the claim of the code on a dead API matters for the money. After one place is before the next:
// CRASH_ROUNDS=1 visits every place, and both sides of each.
const isTelling = (place: string): boolean =>
  places.indexOf(place) >= places.indexOf('payment_commit_change 3');
const isLong = process.env.CRASH_ROUNDS !== undefined;
const sides = isLong
  ? places.flatMap((place) => [`before ${place}`, `after ${place}`])
  : places.filter(isTelling).map((place) => `after ${place}`);

describe('the API is killed, started again, and the payment ends right', {
  timeout: 120_000,
}, () => {
  test.each(sides)('%s', async (place) => {
    await rig.kill('api');
    await rig.start('api', { KILL_AT: place });
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

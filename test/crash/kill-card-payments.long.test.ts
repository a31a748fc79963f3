import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareCardBooks } from '../harness/invariants/compare-card-books.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { lookInto } from '../harness/invariants/look-into.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { openRig, type Rig } from './open-rig.ts';
import { again, callApi, letTimePass } from './pay-persistently.ts';

const patience = { withinMs: 90_000 };
const challenged = '4000000000000127';
const halfADayMs = 12 * 3_600_000;

let rig: Rig;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let customerId = '';
let paymentMethodId = '';
let orders = 0;

beforeAll(async () => {
  [rig, receiver] = await Promise.all([openRig(), openReceiver()]);
  await callApi(rig, '/api/webhook/merchant', { url: receiver.url, event: 'PAYMENTS_STATUS' });
  const customer = await callApi(rig, '/api/customers', {
    fullName: 'Ada Payer',
    email: 'ada@example.com',
  });
  customerId = String(customer.id);
  const request = { atoaCustomerId: customerId, savePaymentMethod: true, paymentMethod: ['CARD'] };
  await payPage(await requestPayment(request), { cardNumber: challenged });
  const cards = await callApi<{ id: string }[]>(rig, `/api/customers/${customerId}/cards`);
  paymentMethodId = String(cards[0]?.id);
}, 180_000);
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

const requestPayment = async (more: object): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount: 12.5, expiresIn: 36e5, ...more };
  return String((await callApi(rig, '/api/payments/process-payment', body)).paymentRequestId);
};

const payPage = (id: string, body: object) =>
  callApi(rig, `/api/sandbox/payment-requests/${id}/pay`, { method: 'CARD', ...body });

const statusOf = async (id: string): Promise<string> =>
  String((await again(() => callApi(rig, `/api/payments/v1/payment-status/${id}`))).status);

/** Calls with the same key until there is an answer: nothing is done twice. */
const charge = async (captureType: string): Promise<string> => {
  orders += 1;
  const orderId = `order-${orders}`;
  const body = { customerId, paymentMethodId, captureType, amount: 20, orderId };
  const made = await again(() => callApi(rig, '/api/payments/card/process-payment', body, orderId));
  return String(made.paymentRequestId);
};

/** Time passes: leases of dead workers end, polls fall due. */
const comesTo = (id: string, wanted: string, stepMs = 61_000): Promise<unknown> =>
  waitUntil(async () => {
    const status = await statusOf(id);
    if (status === wanted) return true;
    await again(() => letTimePass(rig, stepMs).then(() => true));
    throw new Error(`${id} is ${status}`);
  }, patience);

/** A merchant that repeats the call, with the same key, until it succeeds. */
const changeTo = (id: string, operation: 'capture' | 'cancel', wanted: string) =>
  waitUntil(async () => {
    const path = `/api/payments/card/payment-request/${id}/${operation}`;
    const refusal = await callApi(rig, path, {}, `${operation}-${id}`).then(
      () => null,
      (error: Error) => error,
    );
    if ((await statusOf(id)) === wanted) return true;
    await again(() => letTimePass(rig).then(() => true));
    throw new Error(`${id} is not ${wanted}: ${refusal?.message}`);
  }, patience);

const ways: Readonly<Record<string, () => Promise<string>>> = {
  'a charge': async () => {
    const id = await charge('AUTO_CAPTURE');
    await comesTo(id, 'COMPLETED');
    return id;
  },
  'a capture': async () => {
    const id = await charge('MANUAL_CAPTURE');
    await comesTo(id, 'AUTHORIZED');
    await changeTo(id, 'capture', 'COMPLETED');
    return id;
  },
  'a cancel': async () => {
    const id = await charge('MANUAL_CAPTURE');
    await comesTo(id, 'AUTHORIZED');
    await changeTo(id, 'cancel', 'CANCELLED');
    return id;
  },
  'a capture before expiry': async () => {
    const id = await charge('CAPTURE_BEFORE_EXPIRY');
    await comesTo(id, 'AUTHORIZED');
    await comesTo(id, 'COMPLETED', halfADayMs);
    return id;
  },
  'a card page': async () => {
    const id = await requestPayment({ paymentMethod: ['CARD'] });
    await waitUntil(async () => {
      await payPage(id, { cardNumber: challenged }).catch(() => null);
      return (await statusOf(id)) === 'COMPLETED';
    }, patience);
    return id;
  },
  'one click': async () => {
    const id = await requestPayment({ atoaCustomerId: customerId });
    await waitUntil(async () => {
      await payPage(id, { paymentMethodId }).catch(() => null);
      if ((await statusOf(id)) === 'COMPLETED') return true;
      await again(() => letTimePass(rig).then(() => true));
      return false;
    }, patience);
    return id;
  },
};

type Moment = readonly [way: string, moment: string];

const moments: readonly Moment[] = [
  ['a charge', 'after charge 1'],
  ['a card page', 'after openSession 1'],
  ['a capture before expiry', 'after capture 1'],
  ['a capture', 'after capture 1'],
  ['a cancel', 'after payment_commit_change 2'],
  ['one click', 'after charge 1'],
  ['a card page', 'after payment_commit_change 2'],
  ['a charge', 'after card_charge_insert 1'],
  ['a charge', 'before charge 1'],
  ['a charge', 'after payment_commit_change 1'],
  ['a capture', 'after payment_commit_change 2'],
  ['a capture', 'after payment_commit_change 3'],
  ['a cancel', 'after cancel 1'],
  ['a cancel', 'after payment_commit_change 3'],
  ['a capture before expiry', 'after payment_commit_change 2'],
  ['a card page', 'after payment_commit_change 1'],
  ['a card page', 'after readSession 1'],
  ['one click', 'after payment_commit_change 1'],
];

describe('the card payment has one outcome after the API is killed and restarted', {
  timeout: 120_000,
}, () => {
  test.each(moments)('%s, killed %s', async (way, moment) => {
    await rig.kill('api');
    await rig.start('api', { KILL_AT: moment });
    let isKilled = false;
    const restarted = rig.ended('api').then(async () => {
      isKilled = true;
      await rig.start('api');
    });
    const [outcome] = await Promise.allSettled([ways[way]?.()]);
    // The end may be seen a moment before the death of who wrote it.
    const wasKilledThere = await waitUntil(() => isKilled, { withinMs: 5_000 }).catch(() => false);
    if (!isKilled) await rig.kill('api');
    await restarted;
    if (outcome.status === 'rejected') throw outcome.reason;
    expect(wasKilledThere).toBe(true);
    await endsAs(outcome.value ?? '', way === 'a cancel' ? 'CANCELLED' : 'COMPLETED');
  });
});

const endsAs = async (id: string, ending: string): Promise<void> => {
  await waitUntil(
    () =>
      receiver.received.some(({ json }) => json.paymentRequestId === id && json.status === ending),
    patience,
  );
  await waitUntil(async () => {
    const wrong = [
      ...(await compareCardBooks(rig)),
      ...(await findBrokenInvariants(rig.databaseUrl)),
    ];
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);
};

test('a worker that is killed once it has captured what is about to expire leaves it captured once', {
  timeout: 180_000,
}, async () => {
  const id = await charge('CAPTURE_BEFORE_EXPIRY');
  await comesTo(id, 'AUTHORIZED');
  await rig.kill('worker');
  await rig.start('worker', { KILL_AT: 'after capture 1' });
  // Where the clock is moved the API captures; here the time has come by itself.
  await lookInto(rig.databaseUrl, (client) =>
    client.query(
      `update attempt set capture_at = now(), capture_business_at = now()
      where payment_request_id = $1`,
      [id],
    ),
  );
  await rig.ended('worker');
  expect(await statusOf(id)).toBe('AUTHORIZED');
  await rig.start('worker');
  await comesTo(id, 'COMPLETED');
  await endsAs(id, 'COMPLETED');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCases } from '../../../service/src/modules/operator-cases/index.ts';
import { loadPayment, pollCardProcessor } from '../../../service/src/modules/payments/index.ts';
import { refundAtProcessor } from '../../harness/card-payments.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const hours = 2 * 3_600_000;
/** Refunds of the first fail an hour after they were done, those of the second take an hour. */
const failsLater = '4000000000005126';
const staysPending = '4000000000007726';
const patience = { withinMs: 60_000 };

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });
const paid = async (cardNumber = '4242424242424242'): Promise<string> => {
  const id = await journey.create({ enableTips: false });
  const by = { method: 'CARD', cardNumber };
  const reply = await request('POST', `/api/sandbox/payment-requests/${id}/pay`, by);
  expect(reply.body.status).toBe('COMPLETED');
  return id;
};
const referenceOf = async (id: string): Promise<string> =>
  (await journey.attemptsOf(id))[0]?.rail_reference ?? '';
const elsewhere = async (id: string, pence: number, more: Record<string, string> = {}) =>
  refundAtProcessor(journey.sandbox, await referenceOf(id), pence, more);
const refundedOf = async (id: string) => {
  const { body } = await request('GET', `/api/payments/v1/payment-status/${id}`);
  const { totalRefundAmount, refundDetails } = body.transactionDetails[0];
  const shown = refundDetails.map(
    ({ amount, status }: { amount: number; status: string }) => `${status} ${amount}`,
  );
  return [totalRefundAmount, ...shown.sort()];
};
const shows = (id: string, wanted: readonly unknown[]) =>
  waitUntil(async () => {
    const found = await refundedOf(id);
    if (JSON.stringify(found) === JSON.stringify(wanted)) return true;
    throw new Error(`shows ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  }, patience);
/** As time passes for the payment at the processor alone. */
const later = async (id: string) => journey.control.advanceCards([await referenceOf(id)], hours);

/** Polls the processor, whose every answer to a reading call is first given to `change`. */
const pollReading = async (id: string, change: (answer: unknown) => unknown): Promise<void> => {
  const { sandbox } = journey;
  const rail = await sandbox.rails.cardRails.need(sandbox.tenant);
  const changed = new Proxy(rail, {
    get: (target, name: keyof typeof rail) => {
      const call = target[name] as (...values: unknown[]) => unknown;
      if (!String(name).startsWith('read')) return call;
      return async (...values: unknown[]) => change(await call(...values));
    },
  });
  const tools = { ...sandbox.tools, cardRails: { findAccount: async () => changed } };
  const payment = await loadPayment(sandbox.tools.database, sandbox.tenant, id);
  const attemptId = payment?.attempts[0]?.attemptId ?? '';
  await pollCardProcessor(tools, sandbox.tenant, id, attemptId, 'REFUND_REPORTED');
};

test('what was read before our refund failed is not taken for a refund made elsewhere', async () => {
  const id = await paid(failsLater);
  const made = await request('POST', '/api/refund', { paymentRequestId: id, amount: 5 });
  expect(made.status).toBe(200);
  await shows(id, [5, 'COMPLETED 5']);
  // Everything that is read of the processor is as it was before the refund failed.
  await pollReading(id, async (answer) => {
    await later(id);
    await shows(id, [0, 'FAILED 5']);
    return answer;
  });
  expect(await refundedOf(id)).toEqual([0, 'FAILED 5']);
  expect(await journey.historyOf(id)).not.toContain('refundedAtProcessor');
});

test('of a payment with more refunds than are read those are booked, and it is a case', async () => {
  const id = await paid();
  const tooMany = (status: string) => ({
    ...{ kind: 'TOO_MANY', readPerPayment: 1000 },
    refunds: [500, 300].map((pence) => ({
      ...{ reference: `re_${pence}`, refundId: null, amountPence: BigInt(pence) },
      ...{ status, errorDescription: null },
    })),
  });
  for (let times = 0; times < 2; times += 1) await pollReading(id, () => tooMany('COMPLETED'));
  const open = await listCases(journey.sandbox.tools, 'OPEN');
  expect(open).toMatchObject([
    { kind: 'PROCESSOR_CONTRADICTION', evidence: { paymentRequestId: id, readPerPayment: 1000 } },
  ]);
  expect(await refundedOf(id)).toEqual([8, 'COMPLETED 3', 'COMPLETED 5']);
  await pollReading(id, () => tooMany('FAILED'));
  expect(await refundedOf(id)).toEqual([0, 'FAILED 3', 'FAILED 5']);
});

test('a refund made elsewhere that fails later is reversed, with an event', async () => {
  const id = await paid(failsLater);
  await elsewhere(id, 500);
  await shows(id, [5, 'COMPLETED 5']);
  await elsewhere(id, 300);
  await shows(id, [8, 'COMPLETED 3', 'COMPLETED 5']);
  await later(id);
  await shows(id, [0, 'FAILED 3', 'FAILED 5']);
  const events = await journey.eventsOf(id);
  expect(events.slice(1)).toEqual(['COMPLETED', 'COMPLETED', 'FAILED', 'FAILED']);
  expect(
    (await request('POST', '/api/refund', { paymentRequestId: id, amount: 12.5 })).status,
  ).toBe(200);
});

longTest('a pending refund made elsewhere is booked when it is done', async () => {
  const id = await paid(staysPending);
  await elsewhere(id, 500, { 'metadata[refundId]': 'of-another-system' });
  // An event of its own, so that the first has been followed.
  await elsewhere(id, 300);
  expect(await refundedOf(id)).toEqual([0]);
  await later(id);
  await shows(id, [8, 'COMPLETED 3', 'COMPLETED 5']);
});

test('a refund made elsewhere beside a pending one of ours is accepted', async () => {
  const id = await paid(staysPending);
  const ours = await request('POST', '/api/refund', { paymentRequestId: id, amount: 4 });
  await waitUntil(async () => (await refundedOf(id))[1] === 'PENDING 4', patience);
  await elsewhere(id, 500, { 'metadata[refundId]': '0aa7b7a0-0000-4000-8000-000000000001' });
  await later(id);
  await shows(id, [9, 'COMPLETED 4', 'COMPLETED 5']);
  expect((await request('GET', `/api/refund/${id}`)).body).toMatchObject([
    { refundId: ours.body.refundId, status: 'COMPLETED' },
  ]);
});

longTest('refunds of ours move with the sandbox clock: one is done, one fails', async () => {
  const [pending, failing] = [await paid(staysPending), await paid(failsLater)];
  for (const paymentRequestId of [pending, failing])
    await request('POST', '/api/refund', { paymentRequestId, amount: 5 });
  await shows(pending, [5, 'PENDING 5']);
  await shows(failing, [5, 'COMPLETED 5']);
  await journey.advance(hours);
  await shows(pending, [5, 'COMPLETED 5']);
  await shows(failing, [0, 'FAILED 5']);
});

longTest('refunds made elsewhere move with the sandbox clock', async () => {
  const id = await paid(failsLater);
  await elsewhere(id, 500);
  await shows(id, [5, 'COMPLETED 5']);
  await journey.advance(hours);
  await shows(id, [0, 'FAILED 5']);
});

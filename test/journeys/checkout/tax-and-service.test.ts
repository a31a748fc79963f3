import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { openReceiver } from '../../harness/open-receiver.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let journey: Journey;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  [journey, receiver] = await Promise.all([openJourney(), openReceiver()]);
  const body = { url: receiver.url, event: 'PAYMENTS_STATUS' };
  const made = await journey.sandbox.request('POST', '/api/webhook/merchant', { body });
  expect(made.status).toBe(200);
});
afterAll(async () => {
  await journey.close();
  await receiver.close();
});

const setParts = (taxPercentage: number, servicePercentage: number) =>
  journey.sandbox.request('POST', '/api/sandbox/amount-parts', {
    body: { taxPercentage, servicePercentage },
  });

const statusOf = async (id: string) =>
  (await journey.sandbox.request('GET', `/api/payments/v1/payment-status/${id}`)).body;

const pay = async (id: string, more: object = {}) => {
  const path = `/api/sandbox/payment-requests/${id}/pay`;
  const paid = await journey.sandbox.request('POST', path, { body: more });
  expect(paid.status, JSON.stringify(paid.body)).toBe(200);
};

const eventsOf = (id: string) =>
  receiver.received
    .filter(({ json }) => json.paymentRequestId === id && json.status === 'COMPLETED')
    .map(({ json }) => json);

const pageAt = async (id: string): Promise<string> =>
  (await journey.payer.visit(`/pay?paymentRequestId=${id}`)).text;

const parts = { taxAmount: 20, serviceAmount: 12.5 };

test.each([
  ['by bank', {}],
  ['by card', { method: 'CARD', cardNumber: '4242424242424242' }],
])('page, status, app and webhook show tax and service: paid %s', async (_, how) => {
  expect((await setParts(20, 12.5)).body).toEqual({ taxPercentage: 20, servicePercentage: 12.5 });
  const id = await journey.create({ amount: 132.5 });
  await setParts(5, 0);
  const page = await pageAt(id);
  expect(page).toMatch(/<dt>VAT included<\/dt><dd>£20\.00<\/dd>/);
  expect(page).toMatch(/<dt>Service included<\/dt><dd>£12\.50<\/dd>/);
  const details = await journey.sandbox.request('POST', '/api/payments/get-payment-details', {
    secret: null,
    body: { data: id },
  });
  expect(details.body).toMatchObject({ taxPercentage: 20, servicePercentage: 12.5, ...parts });
  await pay(id, how);
  await journey.becomes(id, 'COMPLETED .*');
  const status = await statusOf(id);
  expect(status).toMatchObject({ paidAmount: 132.5, ...parts });
  expect(status.transactionDetails).toMatchObject([parts]);
  const flat = await journey.sandbox.request(
    'GET',
    `/api/payments/payment-status/${id}?type=request`,
    { secret: null },
  );
  expect(flat.body).toMatchObject(parts);
  const [found] = await waitUntil(() => {
    const bodies = eventsOf(id);
    return bodies.length > 0 && bodies;
  });
  expect(found).toMatchObject(parts);
  expect(await pageAt(id)).toMatch(/<dt>VAT included<\/dt><dd>£20\.00<\/dd>/);
});

test('the shares of a bill add up to its tax and service', async () => {
  await setParts(20, 10);
  const id = await journey.create({ amount: 10, splitBill: true });
  for (const amount of [3.33, 3.33, 3.34]) await pay(id, { amount });
  await journey.becomes(id, 'COMPLETED .*');
  const status = await statusOf(id);
  expect(status).toMatchObject({ taxAmount: 1.54, serviceAmount: 0.77 });
  // A share is found again when the bank has settled it.
  const found = await waitUntil(() => {
    const ofPayment = new Map(eventsOf(id).map((body) => [body.paymentIdempotencyId, body]));
    return ofPayment.size === 3 && [...ofPayment.values()];
  });
  for (const { paymentIdempotencyId, taxAmount, serviceAmount } of status.transactionDetails)
    expect(found).toContainEqual(
      expect.objectContaining({ paymentIdempotencyId, taxAmount, serviceAmount }),
    );
  const sumOf = (part: 'taxAmount' | 'serviceAmount') =>
    found.reduce((all, body) => all + Math.round(Number(body[part]) * 100), 0);
  expect([sumOf('taxAmount'), sumOf('serviceAmount')]).toEqual([154, 77]);
});

test('shows no tax or service without the setting', async () => {
  await setParts(0, 0);
  const id = await journey.create();
  expect(await pageAt(id)).not.toMatch(/(VAT|Service) included/);
  await pay(id);
  await journey.becomes(id, 'COMPLETED .*');
  expect(await statusOf(id)).toMatchObject({ taxAmount: 0, serviceAmount: 0 });
});

test.each([
  [{ taxPercentage: 100.01, servicePercentage: 0 }, 'taxPercentage'],
  [{ taxPercentage: 20, servicePercentage: -1 }, 'servicePercentage'],
  [{ taxPercentage: 20, servicePercentage: 12.345 }, 'servicePercentage'],
  [{ taxPercentage: 20 }, 'servicePercentage'],
])('%j is refused by name', async (body, field) => {
  const set = await journey.sandbox.request('POST', '/api/sandbox/amount-parts', { body });
  expect(set.status).toBe(400);
  expect(JSON.stringify(set.body)).toContain(field);
});

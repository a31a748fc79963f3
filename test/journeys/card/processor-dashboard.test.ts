import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailPaymentLink, startTillSale } from '../../../contract/dashboard/index.ts';
import { eventTypes } from '../../../contract/events.ts';
import { memberCalls } from '../../../service/src/modules/dashboard/test/member-calls.ts';
import { simulatorFolder } from '../../../service/src/programs/wiring/simulator-folder.ts';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { openSimulatorControl } from '../../harness/invariants/open-simulator-control.ts';
import { openReceiver } from '../../harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { posBodies } from './pos-bodies.ts';

let sandbox: Sandbox;
let client: pg.Client;
beforeAll(async () => {
  sandbox = await openSandbox();
  client = new pg.Client({ connectionString: sandbox.databaseUrl });
  await client.connect();
  await client.query('set search_path = florin');
});
afterAll(async () => {
  await client.end();
  await sandbox.close();
});

const payByCard = async (id: string, cardNumber = '4242424242424242'): Promise<void> => {
  const paid = await sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, {
    body: { method: 'CARD', cardNumber },
  });
  expect(paid.body.status).toBe('COMPLETED');
};
const pay = async (): Promise<string> => {
  const created = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { customerId: 'customer-1', orderId: 'order-1', amount: 12.5 },
  });
  const id = created.body.paymentRequestId;
  await payByCard(id);
  return id;
};

const statusOf = async (id: string) =>
  (await sandbox.request('GET', `/api/payments/v1/payment-status/${id}?env=sandbox`)).body;

/** As the merchant would in the processor's own dashboard. */
const atProcessor = async (
  id: string,
  call: (reference: string) => readonly [path: string, form: Readonly<Record<string, string>>],
): Promise<void> => {
  const { rows } = await client.query(
    'select rail_reference from attempt where payment_request_id = $1',
    [id],
  );
  const trust = join(simulatorFolder(sandbox.tools.config.dataFolder), 'trust');
  const { cards } = JSON.parse(await readFile(join(trust, 'registration.json'), 'utf8'));
  const [path, form] = call(rows[0].rail_reference);
  const reply = await fetch(`${cards.apiUrl}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${cards.secretKey}` },
    body: new URLSearchParams(form),
  });
  expect(reply.status, await reply.text()).toBe(200);
};
const refundAtProcessor = (id: string, pence: number): Promise<void> =>
  atProcessor(id, (reference) => ['refunds', { payment_intent: reference, amount: String(pence) }]);
const captureAtProcessor = (id: string, pence: number): Promise<void> =>
  atProcessor(id, (reference) => [
    `payment_intents/${reference}/capture`,
    { amount_to_capture: String(pence) },
  ]);

test('refunds made at the processor reach status, books and events, each once', async () => {
  const id = await pay();
  await refundAtProcessor(id, 500);
  const refunded = async (pounds: number) =>
    (await statusOf(id)).transactionDetails[0].totalRefundAmount === pounds;
  await waitUntil(() => refunded(5));
  await refundAtProcessor(id, 250);
  await waitUntil(() => refunded(7.5));
  const status = await statusOf(id);
  expect(status.status).toBe('COMPLETED');
  const { refundDetails } = status.transactionDetails[0];
  expect(refundDetails).toMatchObject([
    { amount: 5, refundType: 'PARTIAL' },
    { amount: 2.5, refundType: 'PARTIAL' },
  ]);
  const { rows: events } = await client.query(
    `select b.body from event e join event_body b on b.event_id = e.event_id
     where e.resource_id = $1 and e.event_type = 'REFUND_STATUS' order by e.sequence`,
    [id],
  );
  expect(events.map(({ body }) => JSON.parse(body).refundAmount)).toEqual([5, 2.5]);
  const { rows: booked } = await client.query(
    `select sum(amount_pence)::int as pence from ledger_entry
     where resource_id = $1 and account = 'SETTLED_BY_PROCESSOR'`,
    [id],
  );
  expect(booked[0].pence).toBe(500);
  expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
});

const refund = (paymentRequestId: string, amount: number) =>
  sandbox.request('POST', '/api/refund', { body: { paymentRequestId, amount } });
const totalOf = async (id: string) =>
  (await statusOf(id)).transactionDetails[0].totalRefundAmount as number;

test('what was refunded at the processor cannot be refunded again', async () => {
  const id = await pay();
  await refundAtProcessor(id, 500);
  await waitUntil(async () => (await totalOf(id)) === 5);
  const over = await refund(id, 7.51);
  expect([over.status, over.body.errors[0].field]).toEqual([400, 'amount']);
  expect((await refund(id, 7.5)).status).toBe(200);
  await waitUntil(async () => (await totalOf(id)) === 12.5);
  expect((await refund(id, 1)).status).toBe(400);
  expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
});

test('a refund at the processor beside one of ours: both count, never more than was paid', async () => {
  const id = await pay();
  const [created] = await Promise.all([refund(id, 4), refundAtProcessor(id, 500)]);
  expect(created.status).toBe(200);
  await waitUntil(async () => (await totalOf(id)) === 9, { withinMs: 60_000 });
  const { refundDetails } = (await statusOf(id)).transactionDetails[0];
  expect(refundDetails.map(({ amount }: { amount: number }) => amount).sort()).toEqual([4, 5]);
  expect((await refund(id, 3.51)).status).toBe(400);
  expect((await refund(id, 3.5)).status).toBe(200);
  await waitUntil(async () => (await totalOf(id)) === 12.5);
  expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
});

/** Its bank authenticates the payer, so that it may be saved. */
const savedAfterChallenge = '5555555555550127';

/** A charge whose money is held, not taken. */
const authorised = async (): Promise<string> => {
  const post = async (path: string, body: object) =>
    (await sandbox.request('POST', `/api/${path}`, { body })).body;
  const customer = await post('customers', { fullName: 'Ada Payer', email: 'ada@example.com' });
  const order = { customerId: 'c', orderId: 'o', amount: 5, paymentMethod: ['CARD'] };
  const saving = { ...order, atoaCustomerId: customer.id, savePaymentMethod: true };
  const { paymentRequestId } = await post('payments/process-payment', saving);
  const byCard = { method: 'CARD', cardNumber: savedAfterChallenge };
  await post(`sandbox/payment-requests/${paymentRequestId}/pay`, byCard);
  const { body: cards } = await sandbox.request('GET', `/api/customers/${customer.id}/cards`);
  const charge = { customerId: customer.id, paymentMethodId: cards[0].id, orderId: 'order-1' };
  const held = { ...charge, amount: 20, captureType: 'MANUAL_CAPTURE' };
  const { paymentRequestId: id } = await post('payments/card/process-payment', held);
  await waitUntil(async () => {
    const shown = await statusOf(id);
    if (shown.status === 'AUTHORIZED') return true;
    throw new Error(JSON.stringify(shown));
  });
  return id;
};

test('a part that is captured at the processor is what was paid: status, books, event and case', async () => {
  const id = await authorised();
  await captureAtProcessor(id, 1_234);
  await waitUntil(async () => (await statusOf(id)).status === 'COMPLETED');
  const status = await statusOf(id);
  expect(status).toMatchObject({ paidAmount: 12.34 });
  expect(status.transactionDetails).toMatchObject([{ paidAmount: 12.34 }]);
  const { rows: events } = await client.query(
    `select b.body from event e join event_body b on b.event_id = e.event_id
     where e.resource_id = $1 order by e.sequence`,
    [id],
  );
  const bodies = events.map(({ body }) => JSON.parse(body));
  expect(bodies.map((body) => [body.status, body.paidAmount])).toEqual([
    ['AUTHORIZED', expect.anything()],
    ['COMPLETED', '12.34'],
  ]);
  const { rows: booked } = await client.query(
    `select account, sum(amount_pence)::int as pence from ledger_entry
     where resource_id = $1 group by account having sum(amount_pence) <> 0`,
    [id],
  );
  const pence = Object.fromEntries(booked.map((row) => [row.account, row.pence]));
  // What was held and not taken is released: nothing is left on the accounts of authorisations.
  expect(pence).toEqual({ SETTLED_BY_PROCESSOR: 1_234, MERCHANT_PAID_DIRECTLY: -1_234 });
  const { rows: cases } = await client.query(
    `select c.evidence from operator_case c join attempt a on a.attempt_id::text = c.subject
     where a.payment_request_id = $1 and c.kind = 'AMOUNT_DIFFERS'`,
    [id],
  );
  expect(cases).toMatchObject([{ evidence: { requestedPence: 2_000, receivedPence: 1_234 } }]);
  const over = await refund(id, 12.35);
  expect([over.status, over.body.errors[0].field]).toEqual([400, 'amount']);
  expect((await refund(id, 12.34)).status).toBe(200);
  await waitUntil(async () => (await totalOf(id)) === 12.34);
  expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
});

describe('of a sale at the till the receiver gets POS_PAYMENT_STATUS and no other event', () => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  let call: ReturnType<typeof memberCalls>;
  beforeAll(async () => {
    receiver = await openReceiver();
    await sandbox.request('POST', '/api/sandbox/webhook/signing-secret', { body: {} });
    const body = { url: receiver.url, events: eventTypes };
    const made = await sandbox.request('POST', '/api/webhook/v2/endpoints', { body });
    expect(made.status).toBe(200);
    const { tools, url, merchant } = sandbox;
    const { headers } = await signIn(tools, { merchantId: merchant.merchantId, origin: url });
    call = memberCalls(sandbox as never, headers);
  });
  afterAll(() => receiver.close());

  const sold = async (): Promise<string> => {
    const body = { amount: 12.5, tipAmount: 2, tillName: 'Bar', orderId: 'T 1', notes: 'Tea' };
    return (await call(startTillSale, { body })).body.paymentRequestId;
  };
  const paidSale = async (cardNumber?: string): Promise<string> => {
    const id = await sold();
    await payByCard(id, cardNumber);
    return id;
  };
  const refunded = async (paymentRequestId: string, refundNotes: string): Promise<string> => {
    const body = { paymentRequestId, amount: 4.25, refundNotes };
    return (await sandbox.request('POST', '/api/refund', { body })).body.refundId;
  };
  const received = (id: string, count: number) =>
    waitUntil(() => {
      const own = receiver.received.filter(({ json }) => json.paymentRequestId === id);
      return own.length >= count && own.map(({ json }) => json);
    });

  const hours = 2 * 3_600_000;

  const bodiesOf = (id: string) => posBodies(sandbox.merchant.merchantId, id);

  test('whose tip is in every amount that is shown before it is paid', async () => {
    const id = await sold();
    const read = async (method: string, path: string, body?: object) =>
      (await sandbox.request(method, path, { secret: null, body })).body;
    const details = await read('POST', '/api/payments/get-payment-details', { data: id });
    expect(details).toMatchObject({ amount: { amount: 14.5, currency: 'GBP' }, tipInfo: null });
    const flat = await read('GET', `/api/payments/payment-status/${id}?type=request`);
    expect(flat).toMatchObject({ paidAmount: 14.5, tipAmount: 2 });
    const params = { paymentRequestId: id };
    await call(mailPaymentLink, { params, body: { email: 'ada@example.com' } });
    const mails = (await sandbox.request('GET', '/api/payments/receipt-mails')).body;
    const [mail] = mails.filter(
      (each: { paymentRequestId: string }) => each.paymentRequestId === id,
    );
    expect(mail.subject).toBe('Corner Coffee requests £14.50');
  });

  test('paid by card, refunded in part by us and at the processor, refused', async () => {
    const id = await paidSale();
    const { sale, voided } = bodiesOf(id);
    expect(await received(id, 1)).toEqual([sale]);
    await refundAtProcessor(id, 300);
    expect((await received(id, 2))[1]).toEqual(voided({ refundAmount: 3 }));
    const failed = await refunded(id, 'FAILURE TEST');
    const refusal = { refundId: failed, status: 'FAILED', errorDescription: expect.any(String) };
    expect((await received(id, 3))[2]).toEqual(voided(refusal));
    const ours = await refunded(id, 'Spilled');
    const bodies = await received(id, 4);
    expect(bodies[3]).toEqual(voided({ refundId: ours }));
    const payments = new Set(bodies.map(({ paymentIdempotencyId }) => paymentIdempotencyId));
    expect(payments.size).toBe(1);
  });

  test('a void that the processor reports as failed after it was done', async () => {
    const id = await paidSale('4000000000005126');
    const refundId = await refunded(id, 'Spilled');
    await received(id, 2);
    const control = await openSimulatorControl({
      simulatorUrl: sandbox.simulator.url,
      trustFolder: join(simulatorFolder(sandbox.folder), 'trust'),
    });
    const intents = (await control.cardPayments())
      .filter(({ metadata }) => metadata.paymentRequestId === id)
      .map(({ paymentIntentId }) => paymentIntentId);
    await sandbox.request('POST', '/api/sandbox/clock', { body: { advanceMs: hours } });
    await control.advanceCards(intents, hours);
    const { sale, voided } = bodiesOf(id);
    expect(await received(id, 3)).toEqual([
      sale,
      voided({ refundId }),
      voided({ refundId, status: 'FAILED', errorDescription: expect.any(String) }),
    ]);
  });
});

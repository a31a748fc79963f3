import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CardPayments, cardPayments, type TestCard } from '../harness/card-payments.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';

let sandbox: Sandbox;
let cards: CardPayments;
let card: TestCard;
beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
});
afterAll(() => sandbox.close());

/** What a program leaves behind that died after the effect and before it stored the reply. */
const loseReply = (key: string) =>
  cards.rows(
    `update idempotency set status_code = null, reply = null, leased_until = clock_timestamp()
     where idempotency_key = $1`,
    [key],
  );

type Order = { readonly method?: string; readonly path: string; readonly body?: object };

let keys = 0;
const twice = async ({ method = 'POST', path, body }: Order) => {
  keys += 1;
  const key = `lost-${keys}`;
  const call = (headers: Record<string, string>) =>
    sandbox.request(method, path, { headers, ...(body && { body }) });
  const first = await call({ 'idempotency-key': key });
  expect([path, first.status, first.body.message ?? '']).toEqual([path, 200, expect.anything()]);
  await loseReply(key);
  const again = await call({ 'idempotency-key': key });
  return { first: first.body, again, other: () => call({ 'idempotency-key': `${key}-other` }) };
};

const newEndpoint = async () =>
  (
    await sandbox.request('POST', '/api/webhook/v2/endpoints', {
      body: { url: 'http://127.0.0.1:49151/hook', events: ['EXPIRED_STATUS'] },
    })
  ).body.id;
const request = async () => {
  const body = { customerId: 'c', orderId: 'o', amount: 5 };
  return (await sandbox.request('POST', '/api/payments/process-payment', { body })).body
    .paymentRequestId;
};
const authorised = async () => {
  const id = await cards.charged(card, { captureType: 'MANUAL_CAPTURE' });
  await cards.reaches(id, 'AUTHORIZED');
  return `/api/payments/card/payment-request/${id}`;
};
const stage = async () => {
  await sandbox.request('POST', '/api/sandbox/webhook/signing-secret', { body: {} });
  await sandbox.request('POST', '/api/sandbox/webhook/signing-secret/next');
};
const refund = async () => {
  await sandbox.request('POST', '/api/sandbox/switches', {
    body: { payoutsEnabled: true, refundsEnabled: true, transferHubPaused: true },
  });
  const paymentRequestId = await request();
  await sandbox.request('POST', `/api/sandbox/payment-requests/${paymentRequestId}/pay`, {
    body: {},
  });
  const body = { paymentRequestId, amount: 2 };
  const made = await cards.until(async () => {
    const reply = await sandbox.request('POST', '/api/refund', { body });
    return reply.status === 200 && reply.body;
  });
  return made.refundId ?? made.id;
};

describe('after a crash between effect and reply the same key answers the same', () => {
  test.each<[string, () => Promise<Order>, otherStatus: number]>([
    [
      'deleteCustomer',
      async () => ({ method: 'DELETE', path: `/api/customers/${await cards.newCustomer()}` }),
      404,
    ],
    [
      'deleteCustomerCard',
      async () => {
        const saved = await cards.saveCard('4000000000000127');
        const path = `/api/customers/${saved.customerId}/cards/${saved.paymentMethodId}`;
        return { method: 'DELETE', path };
      },
      404,
    ],
    [
      'deleteWebhookEndpoint',
      async () => ({ method: 'DELETE', path: `/api/webhook/v2/endpoints/${await newEndpoint()}` }),
      404,
    ],
    [
      'deleteWebhook',
      async () => {
        const body = { url: 'http://127.0.0.1:49151/v1', event: 'REFUND_STATUS' };
        const made = await sandbox.request('POST', '/api/webhook/merchant', { body });
        return { method: 'DELETE', path: `/api/webhook/${made.body.webhookId}/merchant` };
      },
      404,
    ],
    [
      'cancelRefund',
      async () => ({ method: 'DELETE', path: `/api/refund/${await refund()}/cancel` }),
      409,
    ],
    [
      'cancelPaymentRequest',
      async () => ({ path: `/api/payment-request/cancel/${await request()}` }),
      200,
    ],
    ['captureCardPayment', async () => ({ path: `${await authorised()}/capture` }), 409],
    ['cancelCardPayment', async () => ({ path: `${await authorised()}/cancel` }), 409],
    [
      'promoteSigningSecret',
      async () => {
        await stage();
        return { path: '/api/sandbox/webhook/signing-secret/promote', body: { overlapHours: 5 } };
      },
      409,
    ],
  ])('%s', async (_, orderOf, otherStatus) => {
    const order = await orderOf();
    const { first, again, other } = await twice(order);
    expect([again.status, again.body]).toEqual([200, first]);
    expect((await other()).status).toBe(otherStatus);
  });

  test('createCustomer and createWebhookEndpoint create nothing twice', async () => {
    const person = { fullName: 'Ada Twice', email: 'twice@example.com' };
    const customer = await twice({ path: '/api/customers', body: person });
    expect([customer.again.status, customer.again.body]).toEqual([200, customer.first]);
    const body = { url: 'http://127.0.0.1:49151/twice', events: ['EXPIRED_STATUS'] };
    const endpoint = await twice({ path: '/api/webhook/v2/endpoints', body });
    expect([endpoint.again.status, endpoint.again.body.id]).toEqual([200, endpoint.first.id]);
  });

  test('a promotion does not promote what was staged after it', async () => {
    await stage();
    const path = '/api/sandbox/webhook/signing-secret/promote';
    const send = () =>
      sandbox.request('POST', path, { body: {}, headers: { 'idempotency-key': 'staged-later' } });
    const first = await send();
    expect(first.status).toBe(200);
    await sandbox.request('POST', '/api/sandbox/webhook/signing-secret/next');
    await loseReply('staged-later');
    const again = await send();
    expect([again.status, again.body.signsSince]).toEqual([200, first.body.signsSince]);
    expect(again.body.signing.map(({ role }: { role: string }) => role)).toContain('NEXT');
  });

  test('payInSandbox pays once, by bank and by card, and answers the payment', async () => {
    const ways = [{}, { method: 'CARD', cardNumber: '4000000000000127' }, { outcome: 'FAILED' }];
    for (const body of ways) {
      const id = await request();
      const paid = await twice({ path: `/api/sandbox/payment-requests/${id}/pay`, body });
      expect([paid.again.status, paid.again.body.status]).toEqual([200, paid.first.status]);
      const attempts = await cards.rows(
        'select count(*) from attempt where payment_request_id = $1::uuid',
        [id],
      );
      expect(Number(attempts[0]?.count)).toBe(1);
      if (paid.first.status === 'COMPLETED') expect((await paid.other()).status).toBe(409);
    }
  });

  test('linkInSandbox links once and answers the same way back', async () => {
    const body = { redirectUrl: 'https://shop.example/linked' };
    const begun = await sandbox.request('POST', '/api/bank/auth/initiate', { body });
    const id = begun.body.accountAuthId;
    const linked = await twice({ path: `/api/sandbox/bank/auth/${id}/link`, body: {} });
    const wayBack = (text: string) => {
      const { searchParams } = new URL(text);
      return ['status', 'accountAuthId', 'bankAccountIds'].map((name) => searchParams.get(name));
    };
    expect([linked.again.status, wayBack(linked.again.body.redirectUrl ?? 'x:')]).toEqual([
      200,
      wayBack(linked.first.redirectUrl),
    ]);
    expect((await linked.other()).status).toBe(409);
  });

  test('triggerTestWebhook and replayWebhooks send nothing twice', async () => {
    const url = 'http://127.0.0.1:49151/twice-sent';
    const made = await sandbox.request('POST', '/api/webhook/v2/endpoints', {
      body: { url, events: ['EXPIRED_STATUS'] },
    });
    const endpointId = made.body.id;
    const deliveries = (kind: string) =>
      cards.rows(
        `select delivery_id, event_id from delivery where endpoint_id = $1::uuid and kind = $2`,
        [endpointId, kind],
      );
    const trigger = { path: '/api/webhook/test', body: { eventType: 'EXPIRED_STATUS' } };
    const sent = await twice(trigger);
    expect([sent.again.status, sent.again.body]).toEqual([200, sent.first]);
    const [test, ...more] = await deliveries('TEST');
    expect(more).toEqual([]);
    await cards.rows(
      `update delivery set state = 'EXHAUSTED', completed_at = now() where endpoint_id = $1::uuid`,
      [endpointId],
    );
    const path = `/api/webhook/v2/endpoints/${endpointId}/replay`;
    for (const body of [{ eventId: test?.event_id }, { onlyFailed: true }]) {
      const replayed = await twice({ path, body });
      expect(replayed.first).toEqual({ scheduled: 1, nextAfter: null });
      expect([replayed.again.status, replayed.again.body]).toEqual([200, replayed.first]);
      expect(await deliveries('REPLAY')).toHaveLength(1);
      await cards.rows(`delete from delivery where endpoint_id = $1::uuid and kind = 'REPLAY'`, [
        endpointId,
      ]);
    }
  });

  test('enterSandboxRefundAccount answers the same, and another account is refused', async () => {
    const refundId = await refund();
    await cards.rows(
      `update refund set status = 'PENDING', waits_for = 'REFUND_ACCOUNT_NEEDED', due_at = null,
         due_business_at = null where refund_id = $1::uuid`,
      [refundId],
    );
    const account = { sortCode: '089999', accountNumber: '66374958', name: 'Pat Payer' };
    const path = `/api/sandbox/refunds/${refundId}/account`;
    const entered = await twice({ method: 'PUT', path, body: { account } });
    expect([entered.again.status, entered.again.body]).toEqual([200, entered.first]);
    expect((await entered.other()).status).toBe(409);
  });
});

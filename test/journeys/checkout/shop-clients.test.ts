import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { openReceiver, type Receiver } from '../../harness/open-receiver.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let journey: Journey;
let receiver: Receiver;

beforeAll(async () => {
  [journey, receiver] = await Promise.all([openJourney(), openReceiver()]);
  const body = { url: receiver.url, event: 'PAYMENTS_STATUS' };
  const hook = await journey.sandbox.request('POST', '/api/webhook/merchant', { body });
  expect(hook.body).toMatchObject(body);
  expect(hook.body).not.toHaveProperty('status');
  expect(hook.body).not.toHaveProperty('message');
});
afterAll(async () => {
  await receiver.close();
  await journey.close();
});

const shop = 'https://shop.example/back';
const create = () => journey.create({ orderId: 'order-1', redirectUrl: shop });
const drive = (id: string, outcome: string) =>
  journey.sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body: { outcome } });
const hmac = (text: string): string =>
  createHmac('sha256', journey.sandbox.secret).update(text).digest('hex');

/** Typed by field name: it refuses a null wherever it has text or an object. */
const magentoTexts = [
  ...['merchantId', 'customerId', 'consumerId', 'merchantName', 'paymentIdempotencyId', 'status'],
  ...['paidAmount', 'tipAmount', 'currency', 'createdAt', 'updatedAt', 'orderId', 'signature'],
  ...['paymentRequestId', 'signatureHash', 'errorDescription', 'redirectUrl', 'notes'],
  ...['redirectUrlParams', 'transactionType'],
];
const detailTexts = ['status', 'statusUpdateDate', 'isoStatus.code', 'isoStatus.name'];
const storeTexts = ['id', 'address', 'locationName'];

const magentoReads = (body: unknown): string => {
  const all = [
    ...magentoTexts,
    ...detailTexts.map((name) => `statusDetails.${name}`),
    ...storeTexts.map((name) => `storeDetails.${name}`),
  ];
  for (const name of all) expect(body, name).toHaveProperty(name, expect.any(String));
  return (body as { status: string }).status;
};

const delivered = (id: string): readonly string[] =>
  receiver.received
    .map(({ json }) => json)
    .filter(({ paymentRequestId }) => paymentRequestId === id)
    .map(magentoReads);

const hears = (id: string, wanted: readonly string[]) =>
  waitUntil(async () => {
    const heard = delivered(id);
    if (heard.join() === wanted.join()) return heard;
    throw new Error(`heard ${heard.join()}`);
  });

describe('a shop that invoices at each COMPLETED (Magento)', () => {
  const settleLate = async (): Promise<string> => {
    const id = await create();
    await journey.payer.pay(id, 'settled-late');
    await journey.becomes(id, 'COMPLETED ACSP');
    await journey.advance(660_000);
    await journey.becomes(id, 'COMPLETED ACSC');
    return id;
  };

  test('hears of it once, in events without a null', async () => {
    const id = await settleLate();
    const failed = await create();
    await drive(failed, 'FAILED');
    await hears(failed, ['PENDING', 'FAILED']);
    expect(delivered(id)).toEqual(['PENDING', 'COMPLETED']);
    expect(await journey.eventsOf(id)).toEqual(['PENDING', 'COMPLETED', 'COMPLETED']);
    const { body: hooks } = await journey.sandbox.request('GET', '/api/webhook/merchant');
    const replay = `/api/webhook/v2/endpoints/${hooks[0].webhookId}/replay`;
    const body = { onlyMissed: true };
    expect((await journey.sandbox.request('POST', replay, { body })).body.scheduled).toBe(0);
  });

  longTest('hears of the later bank status too where its operator asked for it', async () => {
    const set = (repeatsCompleted: boolean) =>
      journey.sandbox.request('POST', '/api/sandbox/switches', { body: { repeatsCompleted } });
    await set(true);
    await hears(await settleLate(), ['PENDING', 'COMPLETED', 'COMPLETED']);
    await set(false);
  });

  test('gets both signatures back in every state, and none fits another status', async () => {
    const outcomes = [null, 'CANCELLED', 'FAILED', 'PENDING', 'COMPLETED'];
    const statuses = ['CANCELLED', 'CANCELLED', 'FAILED', 'PENDING', 'COMPLETED'];
    for (const [at, outcome] of outcomes.entries()) {
      const id = await create();
      const visit = journey.payer.openBrowser();
      await visit(`/pay?paymentRequestId=${id}`);
      if (outcome) await drive(id, outcome);
      const { text } = await visit(`/pay?paymentRequestId=${id}`);
      const href = /href="(https:\/\/shop\.example[^"]*)"/.exec(text)?.[1] ?? '';
      const query = new URL(href.replaceAll('&amp;', '&')).searchParams;
      const [status, order] = [query.get('status'), query.get('orderId')];
      expect(status).toBe(statuses[at]);
      const isPaid = status === 'COMPLETED';
      for (const [name, about] of [
        ['atoaSignatureHash', 'paymentRequestId'],
        ['atoaSignature', 'paymentIdempotencyId'],
      ] as const) {
        const id = query.get(about) ?? '';
        const given = query.get(name);
        expect(given === hmac(`${order}|${id}`), `${outcome} ${name}`).toBe(isPaid);
        const signed = `orderId=${order}&${about}=${id}&status=${status}`;
        expect(given === hmac(signed), `${outcome} ${name}`).toBe(!isPaid);
      }
    }
  });
});

describe('a shop that polls by request (WooCommerce)', () => {
  const read = async (id: string) => {
    const path = `/api/payments/payment-status/${id}?type=request&env=sandbox`;
    return (await journey.sandbox.request('GET', path, { secret: null })).body;
  };

  const outcomes = [
    ['insufficient-funds', 'FAILED', 'RJCT'],
    ['approve', 'COMPLETED', 'ACSC'],
    ['decline', 'CANCELLED', 'CANC'],
  ] as const;
  test.each(isLongRun ? outcomes : outcomes.slice(0, 1))(
    '%s: %s, %s',
    async (login, status, code) => {
      const id = await create();
      expect(await read(id)).toMatchObject({ message: 'Payment not initiated' });
      await journey.payer.pay(id, login);
      const body = await waitUntil(async () => {
        const found = await read(id);
        if (found.statusDetails?.isoStatus.code === code) return found;
        throw new Error(JSON.stringify(found));
      });
      expect(body).toMatchObject({ status, orderId: 'order-1' });
      expect(body).not.toHaveProperty('message');
      expect(body.paymentIdempotencyId).not.toBe('');
    },
  );

  test('a payer who starts again is waited for again', async () => {
    const id = await create();
    await journey.payer.pay(id, 'decline');
    expect((await read(id)).status).toBe('CANCELLED');
    await journey.payer.pay(id);
    await journey.becomes(id, 'COMPLETED ACSC');
    expect((await read(id)).status).toBe('COMPLETED');
  });
});

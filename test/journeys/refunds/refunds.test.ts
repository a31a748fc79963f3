import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { setSwitches } from '../../../service/src/modules/merchants/index.ts';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { transferRails } from '../../../service/src/modules/transfers/index.ts';
import { addCollectingAccount } from '../../harness/add-collecting-account.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { runCommand } from '../../harness/programs/run-command.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 30_000 };
const timeout = 90_000;

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  journey.sandbox.request(method, path, { body, headers });

/** Paid by the sandbox driver, and settled at the bank, so that the money can go out again. */
const paid = async (more: object = {}, by: object = {}): Promise<string> => {
  const id = await journey.create({ enableTips: false, ...more });
  const answer = await request('POST', `/api/sandbox/payment-requests/${id}/pay`, by);
  expect(answer.status).toBe(200);
  await journey.becomes(id, 'COMPLETED AC[SC]C');
  return id;
};
let toRefuse: Promise<string> | undefined;
/** Refused refunds leave it as it is. */
const unrefunded = (): Promise<string> => {
  toRefuse ??= paid();
  return toRefuse;
};
const refund = (paymentRequestId: string, amount: number, more: object = {}) =>
  request('POST', '/api/refund', { paymentRequestId, amount, ...more });
const refundsOf = async (id: string) => (await request('GET', `/api/refund/${id}`)).body;
const becomes = (id: string, refundId: string, status: string) =>
  waitUntil(async () => {
    const found = (await refundsOf(id)).find(
      (each: { refundId: string }) => each.refundId === refundId,
    );
    if (found?.status === status) return found;
    throw new Error(`${refundId} is ${JSON.stringify(found)}, not ${status}`);
  }, patience);
const pause = (transferHubPaused: boolean) =>
  request('POST', '/api/sandbox/switches', { transferHubPaused });

describe('a refund of a bank payment', { timeout }, () => {
  test('goes back to the account that paid, and the status shows it', async () => {
    const id = await paid();
    const created = await refund(id, 2.5, { refundNotes: 'cold coffee' });
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      refundId: expect.any(String),
      paymentRequestId: id,
      paymentIdempotencyId: expect.any(String),
      status: 'INITIATED',
      paidAmount: '12.50',
      refundAmount: '2.50',
      currency: 'GBP',
      refundNotes: 'cold coffee',
      orderId: 'o',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const done = await becomes(id, created.body.refundId, 'COMPLETED');
    expect(done).toMatchObject({ refundType: 'PARTIAL', statusReason: null });
    const { body: status } = await request('GET', `/api/payments/v1/payment-status/${id}`);
    expect(status.status).toBe('COMPLETED');
    expect(status.transactionDetails[0]).toMatchObject({
      totalRefundAmount: 2.5,
      refundDetails: [{ amount: 2.5, currency: 'GBP', status: 'COMPLETED', refundType: 'PARTIAL' }],
    });
    const { paymentIdempotencyId } = created.body;
    const shown = status.transactionDetails[0].refundDetails;
    expect(shown[0]).toMatchObject({ refundId: done.refundId, refundNotes: 'cold coffee' });
    const withoutNotes = [{ ...shown[0], refundNotes: null }];
    for (const path of [
      `payment-status/${paymentIdempotencyId}`,
      `payment-status/${id}?type=request`,
      `v2/payment/${paymentIdempotencyId}/status`,
    ]) {
      const { body } = await journey.sandbox.request('GET', `/api/payments/${path}`, {
        secret: null,
      });
      expect(body).toMatchObject({ totalRefundAmount: 2.5, refundDetails: withoutNotes });
    }
    const found = await request('POST', '/api/payments/transactions', { search: id });
    expect(found.body.data[0]).toMatchObject({ paidAmount: 12.5, totalRefundAmount: 2.5 });
    expect(await journey.eventsOf(created.body.refundId)).toEqual(['COMPLETED']);
  });

  test('may be the whole amount, and no more', async () => {
    const id = await paid();
    const over = await refund(id, 12.51);
    expect([over.status, over.body.errors[0].field]).toEqual([400, 'amount']);
    const { body } = await refund(id, 12.5);
    expect((await refund(id, 1)).status).toBe(400);
    expect(await becomes(id, body.refundId, 'COMPLETED')).toMatchObject({ refundType: 'FULL' });
  });

  test('with a wrong member is rejected by its name', async () => {
    const id = await unrefunded();
    const wrong: readonly (readonly [object, string])[] = [
      [{ amount: 0.99 }, 'amount'],
      [{ amount: 1.001 }, 'amount'],
      [{ amount: -1 }, 'amount'],
      [{ amount: 1, currency: 'EUR' }, 'currency'],
      [{ amount: 1, paymentIdempotencyId: 'ATOA0' }, 'paymentIdempotencyId'],
    ];
    for (const [body, field] of wrong) {
      const refused = await request('POST', '/api/refund', { paymentRequestId: id, ...body });
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, field]);
    }
    expect(await refundsOf(id)).toEqual([]);
  });

  test('is rejected before the payment is completed, and with the switch off', async () => {
    const open = await journey.create();
    expect((await refund(open, 5)).body).toMatchObject({ name: 'INVALID_STATE', status: 409 });
    const id = await unrefunded();
    await request('POST', '/api/sandbox/switches', { refundsEnabled: false });
    expect((await refund(id, 5)).body).toMatchObject({ name: 'NOT_ENABLED', status: 403 });
    await request('POST', '/api/sandbox/switches', { refundsEnabled: true });
    const unknown = await refund('7f0c7a3e-0000-4000-8000-000000000001', 5);
    expect(unknown.body).toMatchObject({ name: 'NOT_FOUND', status: 404 });
    const elsewhere = await journey.sandbox.request('GET', `/api/refund/${id}`, {
      secret: journey.sandbox.productionSecret,
    });
    expect(elsewhere.body).toMatchObject({ name: 'ENVIRONMENT_MISMATCH', status: 400 });
    const production = { ...journey.sandbox.tenant, environment: 'PRODUCTION' } as const;
    const enabled = { payoutsEnabled: true, refundsEnabled: true };
    await addCollectingAccount(journey.sandbox.tools);
    await setSwitches(journey.sandbox.tools, production, enabled);
    const created = await journey.sandbox.request('POST', '/api/refund', {
      secret: journey.sandbox.productionSecret,
      body: { paymentRequestId: id, amount: 5 },
    });
    expect(created.body).toMatchObject({ name: 'ENVIRONMENT_MISMATCH', status: 400 });
    const none = await request('GET', '/api/refund/7f0c7a3e-0000-4000-8000-000000000001');
    expect(none.body).toMatchObject({ name: 'NOT_FOUND', status: 404 });
    const settings = { SANDBOX: 'SIMULATOR_URL', PRODUCTION: 'PRODUCTION_TRANSFER_FOLDER' };
    const unset = transferRails(() => null, settings);
    const spy = vi.spyOn(journey.sandbox.rails.transferRails, 'need');
    spy.mockImplementation(unset.need);
    expect((await refund(id, 5)).body).toMatchObject({ name: 'RAIL_NOT_CONFIGURED', status: 503 });
    spy.mockRestore();
  });

  test('fails in the sandbox when the note asks for it', async () => {
    const id = await paid();
    const { body } = await refund(id, 3, { refundNotes: 'a FAILURE TEST please' });
    expect(body.status).toBe('FAILED');
    expect(await journey.eventsOf(body.refundId)).toEqual(['FAILED']);
    expect((await refund(id, 12.5)).status).toBe(200);
  });

  test('fails when the bank rejects it, and the money can be refunded again', async () => {
    const id = await paid({ orderId: 'SIM-AC04' });
    const { body } = await refund(id, 12.5);
    const failed = await becomes(id, body.refundId, 'FAILED');
    expect(failed.statusReason).toEqual(expect.any(String));
    expect(await journey.eventsOf(body.refundId)).toEqual(['FAILED']);
    expect((await refund(id, 12.5)).status).toBe(200);
  });

  test('turns from completed to failed when the bank returns the money', async () => {
    const id = await paid({ orderId: 'SIM-RETURN' });
    const { body } = await refund(id, 12.5);
    await becomes(id, body.refundId, 'COMPLETED');
    await journey.advance(3 * 60_000);
    await becomes(id, body.refundId, 'FAILED');
    expect(await journey.eventsOf(body.refundId)).toEqual(['COMPLETED', 'FAILED']);
  });

  test('happens once under an Idempotency-Key', async () => {
    const id = await unrefunded();
    const keyed = (amount: number) =>
      request('POST', '/api/refund', { paymentRequestId: id, amount }, { 'idempotency-key': id });
    const replies = await Promise.all([keyed(12.5), keyed(12.5), keyed(12.5)]);
    const ids = replies.map(({ body }) => body.refundId);
    expect(new Set(ids).size).toBe(1);
    expect(await refundsOf(id)).toHaveLength(1);
    expect((await keyed(1)).body).toMatchObject({ name: 'IDEMPOTENCY_KEY_REUSED' });
  });
});

describe('races', { timeout }, () => {
  test('20 parallel refunds of one payment: the sum never exceeds what was paid', async () => {
    const id = await paid({ amount: 20 });
    const replies = await Promise.all(Array.from({ length: 20 }, () => refund(id, 1.5)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(13);
    expect(statuses.filter((status) => status === 400)).toHaveLength(7);
  });

  test('cancel against hand-over: one winner', async () => {
    const id = await paid({ amount: 12 });
    await pause(true);
    const made = await Promise.all(Array.from({ length: 4 }, () => refund(id, 3)));
    const [first, ...others] = made.map(({ body }) => String(body.refundId));
    const cancelled = await request('DELETE', `/api/refund/${first}/cancel`);
    expect(cancelled.body).toEqual({
      status: 200,
      message: 'Refund cancelled successfully',
      refundId: first,
    });
    expect(await journey.eventsOf(first ?? '')).toEqual(['CANCELLED']);
    expect((await request('DELETE', `/api/refund/${first}/cancel`)).status).toBe(409);
    const other = await journey.sandbox.request('DELETE', `/api/refund/${first}/cancel`, {
      secret: journey.sandbox.productionSecret,
    });
    expect(other.body).toMatchObject({ name: 'ENVIRONMENT_MISMATCH', status: 400 });
    const [answers] = await Promise.all([
      Promise.all(others.map((each) => request('DELETE', `/api/refund/${each}/cancel`))),
      pause(false),
    ]);
    for (const [at, refundId] of others.entries()) {
      const won = answers[at]?.status === 200;
      await becomes(id, refundId, won ? 'CANCELLED' : 'COMPLETED');
    }
    const missing = await request('DELETE', `/api/refund/${id}/cancel`);
    expect(missing.status).toBe(404);
  });
});

describe('a refund of a card payment', { timeout }, () => {
  test('goes back over the card processor', async () => {
    const id = await paid(
      { paymentMethod: ['CARD'] },
      { method: 'CARD', cardNumber: '4242424242424242' },
    );
    const { body } = await refund(id, 4);
    expect(body.status).toBe('INITIATED');
    await becomes(id, body.refundId, 'COMPLETED');
    expect(await journey.eventsOf(body.refundId)).toEqual(['COMPLETED']);
  });

  test('turns to failed when the processor reports later that it failed', async () => {
    const id = await paid(
      { paymentMethod: ['CARD'] },
      { method: 'CARD', cardNumber: '4000000000005126' },
    );
    const { body } = await refund(id, 4);
    await becomes(id, body.refundId, 'COMPLETED');
    await journey.advance(24 * 3_600_000);
    const [line] = (await journey.control.cardPayments()).filter(
      ({ metadata }) => metadata.paymentRequestId === id,
    );
    await journey.control.advanceCards([line?.paymentIntentId ?? ''], 24 * 3_600_000);
    await becomes(id, body.refundId, 'FAILED');
    expect(await journey.eventsOf(body.refundId)).toEqual(['COMPLETED', 'FAILED']);
    expect((await refund(id, 12.5)).status).toBe(200);
  });
});

describe('messages of the bank', { timeout }, () => {
  test('that are late, for an unknown batch or not readable are quarantined, and visible', async () => {
    const behaviours = ['SIM-FOR-UNKNOWN', 'SIM-MALFORMED', 'SIM-REVERSED', 'SIM-TWICE'];
    const refunded = behaviours.map(async (orderId) => {
      const id = await paid({ orderId });
      const { body } = await refund(id, 5);
      await becomes(id, body.refundId, 'COMPLETED');
    });
    await Promise.all(refunded);
    const { secret } = await createOperatorSecret(journey.sandbox.tools, 'Ada', null);
    const operate = (path: string) =>
      journey.sandbox.request('GET', `/api/operator${path}`, { secret });
    const listed = await waitUntil(async () => {
      const { data } = (await operate('/bank-messages?size=100')).body;
      const reasons = data.map(({ reason }: { reason: string }) => reason).join('\n');
      for (const word of [
        'never sent',
        'cannot be read',
        'delivered before',
        'late or out of order',
      ])
        if (!reasons.includes(word)) throw new Error(`${word} is not in: ${reasons}`);
      return data as { reference: string; kind: string; text: string | null }[];
    }, patience);
    expect((await operate('/bank-messages?size=0')).body.name).toBe('BAD_REQUEST');
    const broken = listed.find(({ kind }) => kind === 'UNREADABLE');
    expect(broken?.text).toMatch(/^<\?xml/);
    const cases = (await operate('/cases?status=OPEN&size=100')).body.data;
    for (const { reference } of listed)
      expect(cases).toContainEqual(
        expect.objectContaining({
          kind: 'BANK_MESSAGE_QUARANTINED',
          subject: `SANDBOX ${reference}`,
        }),
      );
    const { databaseUrl, folder } = journey.sandbox;
    const settings = { DATABASE_URL: databaseUrl, FLORIN_DATA: folder };
    const { out } = await runCommand('operate.ts', ['bank-messages'], settings);
    for (const { reference } of listed) expect(out).toContain(reference);
  });
});

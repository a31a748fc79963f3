import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { tryToStart } from '../test/submit.ts';
import { endAttempt } from './end-request.ts';

let payments: Payments;

beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const minute = 60_000;
const unknownId = '7f0c7a3e-0000-4000-8000-000000000001';

/** A payer is at the bank. */
const start = (id: string) => tryToStart(payments, id, payments.bankId);

describe('the status', () => {
  test('before the first attempt is PAYMENT_NOT_INITIATED with a message and 200', async () => {
    const id = await payments.created({ notes: 'table 4' });
    const reply = await payments.status(id);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        status: 'PAYMENT_NOT_INITIATED',
        message: 'Payment not initiated',
        paidAmount: 0,
        notes: 'table 4',
        transactionDetails: [],
      },
    });
  });

  test('shows a payer at the bank, then a superseded attempt', async () => {
    const id = await payments.created();
    await start(id);
    await start(id);
    const { body } = await payments.status(id);
    expect(body).toMatchObject({ status: 'AWAITING_AUTHORIZATION', paidAmount: 0 });
    expect(body).not.toHaveProperty('message');
    expect(body.transactionDetails).toHaveLength(1);
  });

  test('without a secret is masked and needs env=sandbox', async () => {
    const id = await payments.created({ notes: 'for you only' });
    await start(id);
    const open = { secret: null };
    expect(await payments.status(id, open)).toMatchObject({ status: 404 });
    const { status, body } = await payments.status(id, open, '?env=sandbox');
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('for you only');
    for (const hidden of ['notes', 'signature', 'signatureHash'])
      expect(body).not.toHaveProperty(hidden);
    for (const hidden of ['bankAccountNo', 'consumerName', 'consumerId', 'notes'])
      expect(body.transactionDetails[0]).not.toHaveProperty(hidden);
  });

  test.each([
    ['a missing id', unknownId, {}, 404, 'NOT_FOUND'],
    ['no id at all', 'x', {}, 400, 'BAD_REQUEST'],
    ['a wrong secret', 'OWN', { secret: 'wrong' }, 401, 'INVALID_CREDENTIAL'],
    ['another merchant', 'OWN', { secret: 'OTHER' }, 404, 'NOT_FOUND'],
    ['the other environment', 'OWN', { secret: 'PRODUCTION' }, 400, 'ENVIRONMENT_MISMATCH'],
  ] as const)('%s', async (_, given, sent, status, name) => {
    const id = given === 'OWN' ? await payments.created() : given;
    const reply = await payments.status(id, await secretOf(sent));
    expect(reply).toMatchObject({ status, body: { name, status, errors: expect.anything() } });
  });

  test('rejects an env that is not that of the secret', async () => {
    const id = await payments.created();
    expect(await payments.status(id, {}, '?env=production')).toMatchObject({
      status: 400,
      body: { name: 'ENVIRONMENT_MISMATCH' },
    });
    expect(await payments.status(id, {}, '?env=sandbox')).toMatchObject({ status: 200 });
  });
});

const secretOf = async (sent: { readonly secret?: string }) => {
  if (sent.secret === 'OTHER')
    return { secret: (await payments.newMerchant()).secrets.SANDBOX.secret };
  return sent.secret === 'PRODUCTION' ? { secret: payments.productionSecret } : sent;
};

describe('a cancellation', () => {
  test('ends an open request and its attempt, also when repeated', async () => {
    const id = await payments.created();
    await start(id);
    for (let time = 0; time < 2; time += 1)
      expect(await payments.cancel(id)).toMatchObject({
        status: 200,
        body: { success: true, paymentRequestId: id, status: 'CANCELLED' },
      });
    expect((await payments.status(id)).body.status).toBe('CANCELLED');
    expect(await payments.eventsOf(id)).toEqual([]);
    await payments.advance(10 * minute);
    expect(await payments.eventsOf(id)).toEqual([]);
  });

  test('of an expired request is rejected', async () => {
    const id = await payments.created({ expiresIn: 1 });
    await payments.advance(1_000);
    expect(await payments.cancel(id)).toMatchObject({
      status: 409,
      body: { name: 'INVALID_STATE' },
    });
  });

  test.each([
    ['a missing id', unknownId, {}, 404],
    ['another merchant', 'OWN', { secret: 'OTHER' }, 404],
    ['the other environment', 'OWN', { secret: 'PRODUCTION' }, 400],
    ['no uuid', 'x', {}, 400],
  ] as const)('%s: %#', async (_, given, sent, status) => {
    const id = given === 'OWN' ? await payments.created() : given;
    expect((await payments.cancel(id, await secretOf(sent))).status).toBe(status);
  });

  test('prevents later starts', async () => {
    const id = await payments.created();
    await payments.cancel(id);
    expect(await start(id)).toMatchObject({ kind: 'NOT_STARTED', why: 'CANCELLED' });
  });
});

describe('expiry', () => {
  test('after one millisecond is emitted exactly once, however often the job runs', async () => {
    const id = await payments.created({ expiresIn: 1 });
    await payments.advance(10);
    await Promise.all(Array.from({ length: 20 }, () => payments.jobs.expirePaymentRequests()));
    const { body } = await payments.status(id);
    expect(body).toMatchObject({ status: 'EXPIRED' });
    expect(body).not.toHaveProperty('message');
    expect(await payments.eventsOf(id)).toEqual(['EXPIRED_STATUS']);
  });

  test('rejects a start after the end, also before the job has run', async () => {
    const id = await payments.created({ expiresIn: 1 });
    await expect.poll(() => start(id)).toMatchObject({ kind: 'NOT_STARTED', why: 'EXPIRED' });
  });

  test('waits for a payer at the bank, unless strict', async () => {
    const patient = await payments.created({ expiresIn: minute });
    const strict = await payments.created({ expiresIn: minute, strictExpiry: true });
    await Promise.all([start(patient), start(strict)]);
    await payments.advance(minute);
    expect((await payments.status(patient)).body.status).toBe('AWAITING_AUTHORIZATION');
    expect((await payments.status(strict)).body.status).toBe('EXPIRED');
    expect(await payments.eventsOf(strict)).toEqual(['EXPIRED_STATUS']);
    await payments.advance(31 * minute);
    expect((await payments.status(patient)).body.status).toBe('EXPIRED');
    expect(await payments.eventsOf(patient)).toEqual(['EXPIRED_STATUS']);
  });

  test('without retry allows one try that had an outcome', async () => {
    const id = await payments.created({ allowRetry: false });
    await start(id);
    const started = await start(id);
    if (started.kind !== 'STARTED') throw new Error(started.why);
    const { payment, attempt } = started;
    const reason = { code: 'U000', description: 'The bank refused.' };
    await endAttempt(payments.tools, payment, attempt.attemptId, 'refusedByBank', reason);
    expect(await start(id)).toMatchObject({ kind: 'NOT_STARTED', why: 'NO_RETRY' });
  });
});

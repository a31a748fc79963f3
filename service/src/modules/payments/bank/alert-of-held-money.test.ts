import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import { paymentJobs } from '../jobs.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { submit, tryToStart } from '../test/submit.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const shown: object[] = [];
const jobs = () =>
  paymentJobs({ ...payments.tools, log: { ...silentLog, error: (fields) => shown.push(fields) } });

test('money that a bank blocks: one alert to the operator, and no second payment', async () => {
  const id = await submit(payments, payments.bankId, 'BLCK');
  expect((await payments.status(id)).body.status).toBe('FAILED');

  expect(await jobs().alertOperator()).toBe(1);
  expect(await jobs().alertOperator()).toBe(0);
  expect(shown).toEqual([
    {
      ...payments.sandbox,
      paymentRequestId: id,
      attemptId: expect.any(String),
      institutionId: payments.bankId,
      tracingId: expect.any(String),
    },
  ]);
  const payment = await loadPayment(payments.tools.database, payments.sandbox, id);
  expect(payment?.attempts[0]?.operatorAlertedAt).toBeInstanceOf(Date);

  expect(await tryToStart(payments, id, payments.bankId)).toMatchObject({
    kind: 'NOT_STARTED',
    why: 'MONEY_HELD',
  });
});

test('a rejected payment needs no operator and can be paid again', async () => {
  const id = await submit(payments, payments.bankId, 'RJCT');
  shown.length = 0;
  expect(await jobs().alertOperator()).toBe(0);
  expect(shown).toEqual([]);
  expect((await tryToStart(payments, id, payments.bankId)).kind).toBe('STARTED');
});

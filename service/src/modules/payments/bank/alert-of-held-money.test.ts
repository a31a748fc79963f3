import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCases } from '#modules/operator-cases/index.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import { paymentJobs } from '../jobs.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { submit, tryToStart } from '../test/submit.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const jobs = () => paymentJobs(payments.tools);

test('money blocked by a bank opens one case and cannot be paid again', async () => {
  const id = await submit(payments, payments.bankId, 'BLCK');
  expect((await payments.status(id)).body.status).toBe('FAILED');

  expect(await jobs().alertOperator()).toBe(1);
  expect(await jobs().alertOperator()).toBe(0);
  expect(await listCases(payments.tools, 'OPEN')).toMatchObject([
    {
      ...payments.sandbox,
      kind: 'PAYMENT_BLOCKED',
      evidence: { paymentRequestId: id, institutionId: payments.bankId },
    },
  ]);
  const payment = await loadPayment(payments.tools.database, payments.sandbox, id);
  expect(payment?.attempts[0]?.operatorAlertedAt).toBeInstanceOf(Date);

  expect(await tryToStart(payments, id, payments.bankId)).toMatchObject({
    kind: 'NOT_STARTED',
    why: 'MONEY_HELD',
  });
});

test('a payment rejected by a bank opens no case and can be paid again', async () => {
  const id = await submit(payments, payments.bankId, 'RJCT');
  expect(await jobs().alertOperator()).toBe(0);
  const cases = await listCases(payments.tools, null);
  expect(cases.filter(({ evidence }) => evidence.paymentRequestId === id)).toEqual([]);
  expect((await tryToStart(payments, id, payments.bankId)).kind).toBe('STARTED');
});

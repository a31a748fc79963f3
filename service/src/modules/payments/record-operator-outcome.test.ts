import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadPayment } from './core/store/load-payment.ts';
import { recordOperatorOutcome } from './record-operator-outcome.ts';
import { openPayments, type Payments } from './test/open-payments.ts';
import { submit, tryToStart } from './test/submit.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const found = (outcome: 'COMPLETED' | 'FAILED') => ({
  outcome,
  evidence: 'Statement of 21 November, line 7',
  actor: 'Ada',
});

const attemptIdOf = async (id: string): Promise<string> => {
  const payment = await loadPayment(payments.tools.database, payments.sandbox, id);
  return payment?.attempts[0]?.attemptId ?? '';
};

const record = async (id: string, outcome: 'COMPLETED' | 'FAILED') =>
  recordOperatorOutcome(
    payments.tools,
    payments.sandbox,
    id,
    await attemptIdOf(id),
    found(outcome),
  );

test.each(['COMPLETED', 'FAILED'] as const)(
  'an operator records an open payment as %s, once',
  async (outcome) => {
    const id = await submit(payments, payments.bankId, 'PDNG');
    const results = await Promise.allSettled([record(id, outcome), record(id, outcome)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await payments.status(id)).body.status).toBe(outcome);
  },
);

test('a blocked payment that was returned can be paid again', async () => {
  const id = await submit(payments, payments.bankId, 'BLCK');
  await expect(record(id, 'COMPLETED')).rejects.toThrow('Only an open or blocked payment');
  await record(id, 'FAILED');
  expect((await tryToStart(payments, id, payments.bankId)).kind).toBe('STARTED');
});

test('an outcome without evidence is rejected', async () => {
  const id = await submit(payments, payments.bankId, 'PDNG');
  const outcome = { ...found('COMPLETED'), evidence: ' ' };
  const { tools, sandbox } = payments;
  await expect(
    recordOperatorOutcome(tools, sandbox, id, await attemptIdOf(id), outcome),
  ).rejects.toThrow('evidence is needed');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { changePayment } from '../core/change-payment.ts';
import { findAttempt } from '../core/payment.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { submit } from '../test/submit.ts';
import { applyBankStatus, settleByCredit } from './outcomes.ts';

const day = 86_400_000;

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const toCollectingAccount = statement<{ readonly id: string }, never>(
  'test_pays_to_collecting_account',
  sql('id')`update attempt set settles_to = 'COLLECTING_ACCOUNT'
    where payment_request_id = :id::uuid`,
  { guardedBy: 'test' },
);

test.each([
  ['whose credit was seen is no longer polled after nine days', true],
  ['whose money nobody has seen is polled on', false],
])('a payment at ACSP %s', async (_, isSeen) => {
  const id = await submit(payments, payments.bankId, 'ACSP');
  await payments.database.system(toCollectingAccount, { id });
  const payment = await loadPayment(payments.database, payments.sandbox, id);
  const attemptId = payment?.attempts[0]?.attemptId ?? '';
  if (isSeen)
    expect(
      await settleByCredit(payments.tools, payments.sandbox, { paymentRequestId: id, attemptId }),
    ).toBe('SETTLED');
  await payments.advance(40 * day);
  // The bank says ACSP again, as it always will.
  const after = await changePayment(payments.tools, payments.sandbox, id, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    const status = { isoCode: 'ACSP', isoName: 'ACSP', changedAt: null };
    if (attempt) applyBankStatus(payments.tools, current, change, attempt, status);
    return attempt !== null;
  });
  const [attempt] = after.attempts;
  expect([attempt?.isSettled, attempt?.pollBusinessAt === null]).toEqual([isSeen, isSeen]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { abandonDueAt } from '../core/store/claim-due.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { begin, beginExchange } from '../test/submit.ts';
import { claimSubmission } from './submission.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const hour = 3_600_000;
const readAbandonDue = statement<object, { due_at: Date }>(
  'test_abandon_due',
  sql()`select ${abandonDueAt} as due_at`,
);

const exchanging = async () => {
  const begun = await begin(payments);
  return { ...begun, current: await beginExchange(payments, begun) };
};

const attemptOf = async (id: string) =>
  (await loadPayment(payments.tools.database, payments.sandbox, id))?.attempts[0];

/** As if the program that holds them had died a minute ago. */
const endLeases = (id: string) =>
  payments.database.system<{ id: string }, never>(
    {
      name: 'test_end_leases',
      text: `update attempt set leased_until = clock_timestamp() - interval '1 second'
        where payment_request_id = $1::uuid`,
      valueNames: ['id'],
    },
    { id },
  );

describe('a clock that is moved during a step', () => {
  test('does not interrupt the exchange of a code', async () => {
    const { id, current, attemptId } = await exchanging();
    expect((await payments.advance(2 * hour)).body.remainingMs).toBe(0);
    await payments.jobs.closeAbandonedAttempts();
    expect(await attemptOf(id)).toMatchObject({ step: 'EXCHANGING' });
    const claimed = await claimSubmission(payments.tools, current, attemptId, { state: 'state' });
    expect(claimed.kind).toBe('CLAIMED');
    expect(await attemptOf(id)).toMatchObject({ status: 'PENDING', leasedUntil: null });
  });

  test('ends payers who stay at a bank too long', async () => {
    const begun = await begin(payments);
    await payments.advance(hour);
    expect(await attemptOf(begun.id)).toMatchObject({ endedReason: 'NOT_APPROVED_IN_TIME' });
  });
});

describe('a program that dies during a step', () => {
  test('loses the exchange when its lease ends, and nothing is submitted', async () => {
    const { id, current, attemptId } = await exchanging();
    await endLeases(id);
    await payments.jobs.closeAbandonedAttempts();
    expect(await attemptOf(id)).toMatchObject({ status: 'FAILED', endedReason: 'EXCHANGE_LOST' });
    const late = await claimSubmission(payments.tools, current, attemptId, { state: 'state' });
    expect(late.kind).toBe('TOO_LATE');
  });

  test('delays the payment no longer than its lease', async () => {
    await exchanging();
    const [row] = await payments.database.system(readAbandonDue, {});
    expect(row?.due_at.getTime()).toBeLessThanOrEqual(Date.now() + 61_000);
  });
});

test('a strict request is not submitted after its end, even after a long exchange', async () => {
  const { id, current, attemptId } = await exchanging();
  await payments.database.system<{ id: string }, never>(
    {
      name: 'test_make_strict',
      text: `update payment_request set strict_expiry = true, expires_business_at = created_at,
          version = version + 1
        where payment_request_id = $1::uuid`,
      valueNames: ['id'],
    },
    { id },
  );
  const late = await claimSubmission(payments.tools, current, attemptId, { state: 'state' });
  expect(late.kind).toBe('TOO_LATE');
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimExchange, claimSubmission } from './claim-submission.ts';
import type { Payment } from './payment.ts';
import { recordConsent, startAttempt } from './start-attempt.ts';
import { loadPayment } from './store/load-payment.ts';
import { openPayments, type Payments } from './test/open-payments.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const hour = 3_600_000;

const start = async () => {
  const id = await payments.created({ expiresIn: 24 * hour });
  const started = await startAttempt(payments.tools, payments.sandbox, id, () => ({
    institutionId: payments.bankId,
    amountPence: 1_250n as never,
    tipPence: 0n as never,
    creditor: { sortCode: '180002', accountNumber: '00000190', name: 'Sandbox Shop' },
    settlesTo: 'STORE_ACCOUNT',
    applicationUserId: null,
    paymentDevice: null,
  }));
  if (started.kind !== 'STARTED') throw new Error(started.why);
  return { id, payment: started.payment, attemptId: started.attempt.attemptId };
};

type Begun = Awaited<ReturnType<typeof start>>;

const recorded = ({ payment, attemptId }: Begun) =>
  recordConsent(payments.tools, payment, attemptId, {
    state: 'state',
    reference: `consent of ${attemptId}`,
    interactionId: attemptId,
  });

const exchanging = async (): Promise<Begun & { readonly current: Payment }> => {
  const begun = await start();
  await recorded(begun);
  const claimed = await claimExchange(payments.tools, begun.payment, begun.attemptId, 'state');
  expect(claimed.kind).toBe('CLAIMED');
  return { ...begun, current: claimed.payment };
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

describe('a clock that is moved while a program is in the middle of a step', () => {
  test('leaves the exchange of a code alone, and the payment goes on', async () => {
    const { id, current, attemptId } = await exchanging();
    expect((await payments.advance(2 * hour)).body.remainingMs).toBe(0);
    await payments.jobs.closeAbandonedAttempts();
    expect(await attemptOf(id)).toMatchObject({ step: 'EXCHANGING' });
    const claimed = await claimSubmission(payments.tools, current, attemptId, 'state');
    expect(claimed.kind).toBe('CLAIMED');
    expect(await attemptOf(id)).toMatchObject({ status: 'PENDING', leasedUntil: null });
  });

  test('leaves the making of a consent alone', async () => {
    const begun = await start();
    await payments.advance(2 * hour);
    expect(await recorded(begun)).toBe(true);
    expect(await attemptOf(begun.id)).toMatchObject({ step: 'AT_BANK' });
  });

  test('still ends who waits at a bank for too long', async () => {
    const begun = await start();
    await recorded(begun);
    await payments.advance(hour);
    expect(await attemptOf(begun.id)).toMatchObject({ endedReason: 'NOT_APPROVED_IN_TIME' });
  });
});

describe('a program that died in the middle of a step', () => {
  test('loses the exchange when its lease is over, and no submission follows', async () => {
    const { id, current, attemptId } = await exchanging();
    await endLeases(id);
    await payments.jobs.closeAbandonedAttempts();
    expect(await attemptOf(id)).toMatchObject({ status: 'FAILED', endedReason: 'EXCHANGE_LOST' });
    const late = await claimSubmission(payments.tools, current, attemptId, 'state');
    expect(late.kind).toBe('TOO_LATE');
  });

  test('loses the consent, and the payer may try again', async () => {
    const begun = await start();
    await endLeases(begun.id);
    await payments.jobs.closeAbandonedAttempts();
    expect(await attemptOf(begun.id)).toMatchObject({ endedReason: 'CONSENT_LOST' });
    expect(await recorded(begun)).toBe(false);
  });

  test('is waited for no longer than its lease', async () => {
    await exchanging();
    const due = await payments.jobs.nextDueAt();
    expect(due?.getTime()).toBeLessThanOrEqual(Date.now() + 61_000);
  });
});

test('a strict request is not submitted after its end, however long its exchange took', async () => {
  const { id, current, attemptId } = await exchanging();
  await payments.database.system<{ id: string }, never>(
    {
      name: 'test_make_strict',
      text: 'update payment_request set strict_expiry = true where payment_request_id = $1::uuid',
      valueNames: ['id'],
    },
    { id },
  );
  await payments.advance(25 * hour);
  const late = await claimSubmission(payments.tools, current, attemptId, 'state');
  expect(late.kind).toBe('TOO_LATE');
});

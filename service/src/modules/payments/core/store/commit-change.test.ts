import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { newAttempt } from '../../bank/attempts.ts';
import { openPayments, type Payments } from '../../test/open-payments.ts';
import { addAttempt, type Change, draftChange, moveRequest } from '../change-payment.ts';
import { emitExpiry } from '../emit-outcome.ts';
import { commitChange } from './commit-change.ts';
import { loadPayment } from './load-payment.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const load = async (id: string) => {
  const payment = await loadPayment(payments.tools.database, payments.sandbox, id);
  if (!payment) throw new Error('no such payment');
  return payment;
};

/** Several requests, each as it is now and with its end drafted. */
const endingRequests = async (): Promise<readonly Change[]> => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => payments.created()));
  const loaded = await Promise.all(ids.map(load));
  return loaded.map((payment) => {
    const change = draftChange(payment);
    moveRequest(change, 'expired');
    emitExpiry(payments.tools, change);
    return change;
  });
};

const commitAll = (changes: readonly Change[]) =>
  Promise.allSettled(changes.map((change) => commitChange(payments.tools.database, change)));

type Stored = { id: string; status: string; version: number; written_by: string; notes: number };

const stored = (changes: readonly Change[]): Promise<Stored[]> =>
  payments.database.system<{ ids: readonly string[] }, Stored>(
    {
      name: 'test_stored_requests',
      text: `select r.payment_request_id as id, r.status, r.version, r.xmin::text as written_by,
          (select count(*)::int from payment_history h
            where h.payment_request_id = r.payment_request_id) as notes
        from payment_request r where r.payment_request_id = any ($1::uuid[])
        order by array_position($1::uuid[], r.payment_request_id)`,
      valueNames: ['ids'],
    },
    { ids: changes.map(({ payment }) => payment.paymentRequestId) },
  );

const eventsOf = (changes: readonly Change[]) =>
  Promise.all(changes.map(({ payment }) => payments.eventsOf(payment.paymentRequestId)));

const ended = { status: 'EXPIRED', version: 2, notes: 1 };
const untouched = { status: 'OPEN', version: 1, notes: 0 };
const shown = ['EXPIRED_STATUS'];

describe('concurrent changes of payments', () => {
  test('are written by one statement, with history and events', async () => {
    const changes = await endingRequests();
    const results = await commitAll(changes);
    expect(results.map(({ status }) => status)).toEqual(changes.map(() => 'fulfilled'));
    const rows = await stored(changes);
    expect(rows).toMatchObject(changes.map(() => ended));
    expect(new Set(rows.map(({ written_by: by }) => by)).size).toBe(1);
    expect(await eventsOf(changes)).toEqual(changes.map(() => shown));
  });

  test('are guarded one by one: a lost race writes nothing', async () => {
    const changes = await endingRequests();
    await payments.cancel(changes[2]?.payment.paymentRequestId ?? '');
    const results = await commitAll(changes);
    expect(results.map((each) => each.status === 'fulfilled' && each.value !== null)).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
    const cancelled = { status: 'CANCELLED', version: 2, notes: 1 };
    const rows = await stored(changes);
    expect(rows).toMatchObject([ended, ended, cancelled, ended, ended]);
    expect(await eventsOf(changes)).toEqual([shown, shown, [], shown, shown]);
  });

  test('do not fail with one that cannot be written', async () => {
    const changes = await endingRequests();
    const bad = changes[3];
    const event = bad?.events[0];
    if (!bad || !event) throw new Error('nothing was drafted');
    bad.events.push({ ...event, eventId: payments.tools.ids.uuid() });
    const results = await commitAll(changes);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await stored(changes)).toMatchObject([ended, ended, ended, untouched, ended]);
    expect(await eventsOf(changes)).toEqual([shown, shown, shown, [], shown]);
  });

  test('of one payment are written apart, and one wins', async () => {
    const [change] = await endingRequests();
    if (!change) throw new Error('nothing was drafted');
    const again = { ...change, events: change.events.map(withOwnId) };
    const results = await commitAll([change, again]);
    const won = results.filter((each) => each.status === 'fulfilled' && each.value !== null);
    expect(won).toHaveLength(1);
    expect(await eventsOf([change])).toEqual([shown]);
    expect(await stored([change])).toMatchObject([ended]);
  });
});

describe('a second submission of one share', () => {
  const submitted = { status: 'PENDING', step: 'SUBMITTING' } as const;
  const order = {
    institutionId: 'bank',
    amountPence: pence(1_000),
    tipPence: pence(0),
    creditor: { sortCode: '180002', accountNumber: '00000190', name: 'Sandbox Shop' },
    settlesTo: 'STORE_ACCOUNT',
    applicationUserId: null,
    paymentDevice: null,
  } as const;

  /** As if every check before the statement had been passed. */
  const submit = async (id: string, shareId: string) => {
    const payment = await load(id);
    const change = draftChange(payment);
    const { now } = payment;
    const dates = { submittedAt: now, pollBusinessAt: now };
    const attempt = newAttempt(payments.tools.ids, payment, order);
    addAttempt(change, { ...attempt, ...submitted, ...dates, shareId });
    return (await commitChange(payments.tools.database, change)) !== null;
  };

  test('is stopped by the index alone, where amounts would allow it', async () => {
    const id = await payments.created({ amount: 30, splitBill: true });
    const [share, another] = [payments.tools.ids.uuid(), payments.tools.ids.uuid()];
    expect(await submit(id, share)).toBe(true);
    expect(await submit(id, share)).toBe(false);
    expect((await load(id)).attempts).toHaveLength(1);
    expect(await submit(id, another)).toBe(true);
  });
});

const withOwnId = (event: Change['events'][number]) => ({
  ...event,
  eventId: payments.tools.ids.uuid(),
});

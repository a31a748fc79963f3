import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRig, type Rig } from '../../crash/open-rig.ts';
import { callApi } from '../../crash/pay-persistently.ts';
import { compareCardBooks } from '../../harness/invariants/compare-card-books.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import {
  type CardLine,
  openSimulatorControl,
} from '../../harness/invariants/open-simulator-control.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const sevenDays = 7 * 24 * hour;
const margin = 6 * hour;
const patience = { withinMs: 30 * second };
const timeout = 90 * second;
/** The issuer holds the money of this card for a week. */
const heldForAWeek = '5555555555550127';
const captureIsDown = { times: 1_000 };

let rig: Rig;
let control: Awaited<ReturnType<typeof openSimulatorControl>>;
let client: pg.Client;
let card: { readonly customerId: string; readonly paymentMethodId: string };

beforeAll(async () => {
  rig = await openRig();
  [control, card] = [await openSimulatorControl(rig), await saveCard()];
  client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
  await client.query('set search_path = florin');
}, 120 * second);
afterAll(async () => {
  await client.end();
  await rig.close();
});

const saveCard = async () => {
  const email = 'ada@example.com';
  const customer = await callApi(rig, '/api/customers', { fullName: 'Ada Payer', email });
  const customerId = String(customer.id);
  const order = { customerId: 'c', orderId: 'o', amount: 5, paymentMethod: ['CARD'] };
  const saving = { ...order, atoaCustomerId: customerId, savePaymentMethod: true };
  const { paymentRequestId } = await callApi(rig, '/api/payments/process-payment', saving);
  const byCard = { method: 'CARD', cardNumber: heldForAWeek };
  await callApi(rig, `/api/sandbox/payment-requests/${paymentRequestId}/pay`, byCard);
  const cards = await callApi<{ id: string }[]>(rig, `/api/customers/${customerId}/cards`);
  const [saved] = cards;
  return { customerId, paymentMethodId: saved?.id ?? '' };
};

const rows = async <Row extends pg.QueryResultRow>(text: string, id: string): Promise<Row[]> =>
  (await client.query<Row>(text, [id])).rows;
const statusOf = async (id: string): Promise<string> =>
  String((await callApi(rig, `/api/payments/v1/payment-status/${id}`)).status);
const reaches = (id: string, wanted: string) =>
  waitUntil(async () => {
    const status = await statusOf(id);
    if (status !== wanted) throw new Error(`${id} is ${status}, not ${wanted}`);
    return true;
  }, patience);
const authorised = async (captureType: string): Promise<string> => {
  const body = { ...card, captureType, amount: 20, orderId: 'order-1' };
  const { paymentRequestId } = await callApi(rig, '/api/payments/card/process-payment', body);
  await reaches(String(paymentRequestId), 'AUTHORIZED');
  return String(paymentRequestId);
};
const advance = (advanceMs: number) => callApi(rig, '/api/sandbox/clock', { advanceMs });
const eventsOf = async (id: string) => {
  const text = `select b.body::jsonb ->> 'status' as status from event e
    join event_body b on b.event_id = e.event_id where e.resource_id = $1 order by e.sequence`;
  return (await rows<{ status: string }>(text, id)).map(({ status }) => status);
};
const historyOf = async (id: string) => {
  const text = `select trigger, occurred_at from payment_history where payment_request_id = $1
    order by version, position`;
  return rows<{ trigger: string; occurred_at: Date }>(text, id);
};
const endOf = async (id: string): Promise<Date> => {
  const text = `select authorisation_expires_business_at as ends from attempt
    where payment_request_id = $1`;
  return (await rows<{ ends: Date }>(text, id))[0]?.ends ?? new Date(0);
};
const atProcessor = async (id: string): Promise<readonly CardLine[]> =>
  (await control.cardPayments()).filter(({ metadata }) => metadata.paymentRequestId === id);

/** Once, by us, between the planned time and the end of the authorisation. */
const isCapturedInTime = async (id: string) => {
  expect(await atProcessor(id)).toMatchObject([{ status: 'succeeded', captured: 2_000, held: 0 }]);
  expect(await eventsOf(id)).toEqual(['AUTHORIZED', 'COMPLETED']);
  const history = await historyOf(id);
  const captured = history.filter(({ trigger }) => trigger === 'captured');
  expect(captured).toHaveLength(1);
  const leftMs = (await endOf(id)).getTime() - (captured[0]?.occurred_at.getTime() ?? 0);
  expect(leftMs).toBeGreaterThan(0);
  expect(leftMs).toBeLessThanOrEqual(margin);
};

/** Up to this long before the planned capture, which then happens in real time. */
const advanceToJustBefore = async (id: string, leftMs: number) => {
  await advance(sevenDays - margin - hour);
  const text = `select extract(epoch from capture_at - clock_timestamp())::float8 * 1000 as ms
    from attempt where payment_request_id = $1`;
  const [row] = await rows<{ ms: number }>(text, id);
  await advance(Math.floor((row?.ms ?? 0) - leftMs));
};

describe('CAPTURE_BEFORE_EXPIRY on an authorisation of seven days', { timeout }, () => {
  test('is captured once and in time when the processor is down for an hour', async () => {
    const id = await authorised('CAPTURE_BEFORE_EXPIRY');
    await advance(sevenDays - margin - minute);
    expect(await statusOf(id)).toBe('AUTHORIZED');
    await control.cardFault('capture', 'down', captureIsDown);
    await control.cardFault('read', 'down', captureIsDown);
    for (let passedMs = 0; passedMs < hour; passedMs += 10 * minute) {
      await advance(10 * minute);
      expect(await statusOf(id)).toBe('AUTHORIZED');
    }
    expect(await atProcessor(id)).toMatchObject([{ status: 'requires_capture', captured: 0 }]);
    await control.noFaults();
    await advance(15 * minute);
    await reaches(id, 'COMPLETED');
    await isCapturedInTime(id);
    const triggers = (await historyOf(id)).map(({ trigger }) => trigger);
    expect(triggers).toEqual(['started', 'authorised', 'captureStarted', 'captured', 'paid']);
  });

  test('is captured when the only worker died and restarts late', async () => {
    const id = await authorised('CAPTURE_BEFORE_EXPIRY');
    await advanceToJustBefore(id, 3 * second);
    await rig.kill('worker');
    await waitUntil(async () => {
      const text = `select capture_at <= clock_timestamp() - interval '1 second' as is_due
        from attempt where payment_request_id = $1`;
      return (await rows<{ is_due: boolean }>(text, id))[0]?.is_due;
    }, patience);
    expect(await statusOf(id)).toBe('AUTHORIZED');
    await rig.start('worker');
    await reaches(id, 'COMPLETED');
    await isCapturedInTime(id);
  });

  test('is captured once when the worker is killed during the capture', async () => {
    const id = await authorised('CAPTURE_BEFORE_EXPIRY');
    await control.cardFault('capture', 'slow', { times: 1, milliseconds: 2 * second });
    await advanceToJustBefore(id, 3 * second);
    await waitUntil(async () => (await control.faultsRemaining()) === 0, patience);
    // The processor works on while no API receives its event.
    await Promise.all([rig.kill('worker'), rig.kill('api')]);
    await waitUntil(async () => (await atProcessor(id))[0]?.captured === 2_000, patience);
    await rig.start('api');
    // What its lease would do in less than a minute.
    await client.query(
      `with polls as (update attempt_poll set leased_until = null, poll_at = now(), watch_from = now()
         where payment_request_id = $1),
         leases as (delete from work_lease)
       update attempt set leased_until = null
       where payment_request_id = $1 and step = 'CAPTURING'`,
      [id],
    );
    await rig.start('worker');
    await reaches(id, 'COMPLETED');
    await isCapturedInTime(id);
  });
});

test('MANUAL_CAPTURE without a capture expires: CANCELLED, with a reason and an event', {
  timeout,
}, async () => {
  const id = await authorised('MANUAL_CAPTURE');
  await advance(sevenDays - hour);
  expect(await statusOf(id)).toBe('AUTHORIZED');
  await advance(2 * hour);
  await reaches(id, 'CANCELLED');
  const text = 'select ended_reason, error_code from attempt where payment_request_id = $1';
  const reason = 'AUTHORISATION_EXPIRED';
  expect(await rows(text, id)).toEqual([{ ended_reason: reason, error_code: reason }]);
  expect(await eventsOf(id)).toEqual(['AUTHORIZED', 'CANCELLED']);
  expect(await atProcessor(id)).toMatchObject([{ status: 'canceled', held: 0, captured: 0 }]);
});

test('the books of both sides agree and every invariant holds', { timeout }, async () => {
  await waitUntil(async () => {
    const wrong = [
      ...(await compareCardBooks(rig)),
      ...(await findBrokenInvariants(rig.databaseUrl)),
    ];
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CardPayments, cardPayments } from '../../../../../test/harness/card-payments.ts';
import { findBrokenInvariants } from '../../../../../test/harness/invariants/find-broken-invariants.ts';
import { isLongRun } from '../../../../../test/harness/is-long-run.ts';
import { longTest } from '../../../../../test/harness/long-test.ts';
import { openSandbox, type Sandbox } from '../../../../../test/harness/open-sandbox.ts';

let sandbox: Sandbox;
let cards: CardPayments;
let card: Awaited<ReturnType<CardPayments['saveCard']>>;
let failing: typeof card;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
  failing = await cards.saveCard('4000000000000341');
});
afterEach(async () => {
  await cards.control.noFaults();
});
afterAll(async () => {
  expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
  await sandbox.close();
});

const hour = 3_600_000;
const lifetime = (4 * 24 + 18) * hour;
const margin = lifetime / 20;

const authorised = async (captureType = 'MANUAL_CAPTURE'): Promise<string> => {
  const id = await cards.charged(card, { captureType });
  await cards.reaches(id, 'AUTHORIZED');
  return id;
};
const shown = async (id: string) =>
  (
    await cards.rows(
      `select b.body::jsonb ->> 'status' as status from event e
       join event_body b on b.event_id = e.event_id where e.resource_id = $1 order by e.sequence`,
      [id],
    )
  ).map(({ status }) => status);
const history = async (id: string) =>
  (
    await cards.rows(
      `select trigger, detail from payment_history where payment_request_id = $1
       order by version, position`,
      [id],
    )
  ).map(({ trigger }) => trigger);
const booked = async (id: string) => {
  const [line] = await cards.control.ofRequest(id);
  return `${line?.status} ${line?.captured}`;
};
const capturedReply = { success: true, message: 'Payment captured successfully' };
const cancelledReply = { success: true, message: 'Payment cancelled successfully' };

describe('an authorised payment', () => {
  let kept: Promise<string> | undefined;
  const why = 'cancelledReasonDescription';
  test('is captured once, in full', async () => {
    const id = await authorised();
    const reply = await cards.capture(id);
    expect([reply.status, reply.body]).toEqual([200, capturedReply]);
    expect((await cards.status(id)).status).toBe('COMPLETED');
    expect(await booked(id)).toBe('succeeded 1250');
    expect(await shown(id)).toEqual(['AUTHORIZED', 'COMPLETED']);
    expect(await history(id)).toEqual([
      'started',
      'authorised',
      'captureStarted',
      'captured',
      'paid',
    ]);
    const again = await cards.capture(id);
    expect([again.status, again.body.name]).toEqual([409, 'INVALID_STATE']);
    expect((await cards.cancel(id)).status).toBe(409);
  });

  const releases = [
    ['no body', undefined],
    ['Other', { cancelledReasonCode: 'Other', cancelledReasonDescription: 'x'.repeat(60) }],
    ['an empty body', {}],
    ['Duplicate', { cancelledReasonCode: 'Duplicate' }],
    ['Abandoned', { cancelledReasonCode: 'Abandoned', cancelledReasonDescription: 'gone' }],
    ['Requested by customer', { cancelledReasonCode: 'Requested by customer' }],
  ] as const;
  test.each(isLongRun ? releases : releases.slice(0, 2))('is released with %s', async (_, body) => {
    const id = await authorised('CAPTURE_BEFORE_EXPIRY');
    const reply = await cards.cancel(id, body);
    expect([reply.status, reply.body]).toEqual([200, cancelledReply]);
    const status = await cards.status(id);
    expect(status.status).toBe('CANCELLED');
    expect(status.transactionDetails[0].errorDescription).toContain('released');
    expect(await booked(id)).toBe('canceled 0');
    expect(await shown(id)).toEqual(['AUTHORIZED', 'CANCELLED']);
    expect((await cards.cancel(id)).status).toBe(409);
    expect((await cards.capture(id)).status).toBe(409);
  });

  test.each([
    ['an unknown code', { cancelledReasonCode: 'Because' }, 'cancelledReasonCode'],
    ['Other without why', { cancelledReasonCode: 'Other' }, why],
    ['Other and blank', { cancelledReasonCode: 'Other', [why]: ' ' }, why],
    ['a long description', { [why]: 'x'.repeat(61) }, why],
  ])('is not released for %s', async (_, body, field) => {
    kept ??= authorised();
    const { status, body: answer } = await cards.cancel(await kept, body);
    expect([status, answer.errors[0].field]).toEqual([400, field]);
  });

  test('is not found by another merchant', async () => {
    const id = await authorised();
    const other = { secret: sandbox.productionSecret };
    expect((await cards.capture(id, other)).body.name).toBe('ENVIRONMENT_MISMATCH');
    expect((await cards.capture('7d1c4a34-0000-4000-8000-000000000000')).status).toBe(404);
  });

  longTest('has one outcome under concurrent captures and cancellations', async () => {
    const ids = await Promise.all([authorised(), authorised()]);
    for (const id of ids) {
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          index % 2 === 0 ? cards.capture(id) : cards.cancel(id),
        ),
      );
      const won = replies.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(11);
      const isCaptured = won[0]?.body.message === capturedReply.message;
      expect((await cards.status(id)).status).toBe(isCaptured ? 'COMPLETED' : 'CANCELLED');
      expect(await booked(id)).toBe(isCaptured ? 'succeeded 1250' : 'canceled 0');
      expect(await shown(id)).toHaveLength(2);
    }
  });
});

describe('a payment that is not authorised', () => {
  const inState: Readonly<Record<string, () => Promise<string>>> = {
    'COMPLETED by AUTO_CAPTURE': async () => {
      const id = await cards.charged(card);
      await cards.reaches(id, 'COMPLETED');
      return id;
    },
    FAILED: async () => {
      const id = await cards.charged(failing);
      await cards.reaches(id, 'FAILED');
      return id;
    },
    PENDING: async () => {
      await cards.control.fault('cards:intent', 'slow', { milliseconds: 1_500 });
      return cards.charged(card, { captureType: 'MANUAL_CAPTURE' });
    },
    'a request on the hosted page': async () =>
      (
        await sandbox.request('POST', '/api/payments/process-payment', {
          body: { customerId: 'c', orderId: 'o', amount: 5 },
        })
      ).body.paymentRequestId,
  };
  test.each(Object.keys(inState))('%s is neither captured nor cancelled', async (state) => {
    const id = (await inState[state]?.()) ?? '';
    const before = await cards.status(id);
    for (const reply of [await cards.capture(id), await cards.cancel(id)])
      expect([reply.status, reply.body.name]).toEqual([409, 'INVALID_STATE']);
    expect((await cards.status(id)).status).toBe(before.status);
  });

  test('is not cancelled as a payment request when it is a charge', async () => {
    const id = await authorised();
    const reply = await sandbox.request('POST', `/api/payment-request/cancel/${id}`);
    expect(reply.body.name).toBe('INVALID_STATE');
    expect((await cards.status(id)).status).toBe('AUTHORIZED');
  });
});

describe('a lost answer', () => {
  test.each(isLongRun ? ['cut-after', 'status-after'] : ['cut-after'])(
    '%s: the capture happened, and its key shows the outcome',
    async (kind) => {
      const id = await authorised();
      // Every answer of the capture is lost, and nothing can be read at first.
      await cards.control.fault('cards:capture', kind, {
        times: 1,
        ...(kind === 'status-after' ? { status: 500 } : {}),
      });
      const headers = { 'idempotency-key': `capture-${kind}` };
      const first = await cards.capture(id, { headers });
      expect([200, 503]).toContain(first.status);
      if (first.status === 503) {
        expect(first.headers.get('retry-after')).toBeTruthy();
        const others = await cards.capture(id);
        expect(others.status).toBe(409);
      }
      const again = await cards.capture(id, { headers });
      expect([again.status, again.body]).toEqual([200, capturedReply]);
      expect(await booked(id)).toBe('succeeded 1250');
      expect(await shown(id)).toEqual(['AUTHORIZED', 'COMPLETED']);
    },
  );

  test('of a release is resolved by the job', async () => {
    const id = await authorised();
    await cards.control.fault('cards:cancel', 'cut-before');
    const reply = await cards.cancel(id, { cancelledReasonCode: 'Duplicate' });
    expect([200, 503]).toContain(reply.status);
    await cards.reaches(id, 'CANCELLED');
    expect(await booked(id)).toBe('canceled 0');
  });
});

describe('the end of an authorisation', () => {
  test('captures with CAPTURE_BEFORE_EXPIRY inside the margin, not before', async () => {
    const id = await authorised('CAPTURE_BEFORE_EXPIRY');
    await cards.advance(lifetime - margin - 60_000);
    expect((await cards.status(id)).status).toBe('AUTHORIZED');
    await cards.advance(2 * 60_000);
    expect((await cards.status(id)).status).toBe('COMPLETED');
    expect(await booked(id)).toBe('succeeded 1250');
    expect(await shown(id)).toEqual(['AUTHORIZED', 'COMPLETED']);
    expect(await history(id)).toContain('captureStarted');
  });

  test('cancels with MANUAL_CAPTURE and emits an event', async () => {
    const id = await authorised();
    await cards.advance(lifetime - 60_000);
    expect((await cards.status(id)).status).toBe('AUTHORIZED');
    await cards.advance(2 * 60_000);
    const status = await cards.reaches(id, 'CANCELLED');
    expect(status.transactionDetails[0].errorDescription).toContain('ran out');
    expect(await booked(id)).toBe('canceled 0');
    expect(await shown(id)).toEqual(['AUTHORIZED', 'CANCELLED']);
    const [row] = await cards.rows(
      'select ended_reason from attempt where payment_request_id = $1',
      [id],
    );
    expect(row?.ended_reason).toBe('AUTHORISATION_EXPIRED');
    expect((await cards.capture(id)).status).toBe(409);
  });

  longTest('passed in one advance captures and releases as requested', async () => {
    const [captured, ranOut] = [await authorised('CAPTURE_BEFORE_EXPIRY'), await authorised()];
    await cards.advance(8 * 24 * hour);
    expect((await cards.status(captured)).status).toBe('COMPLETED');
    expect((await cards.status(ranOut)).status).toBe('CANCELLED');
  });

  test('is captured after a processor that failed for a while', async () => {
    const id = await authorised('CAPTURE_BEFORE_EXPIRY');
    await cards.control.fault('cards:capture', 'status', { status: 500, times: 4 });
    await cards.advance(lifetime - margin + 60_000);
    await cards.advance(hour);
    await cards.reaches(id, 'COMPLETED');
    expect(await booked(id)).toBe('succeeded 1250');
    expect(await shown(id)).toEqual(['AUTHORIZED', 'COMPLETED']);
  });

  longTest(
    'after seven days is captured when the processor is down for an hour of the margin',
    async () => {
      const other = await cards.saveCard('5555555555550127');
      const id = await cards.charged(other, { captureType: 'CAPTURE_BEFORE_EXPIRY' });
      await cards.reaches(id, 'AUTHORIZED');
      await cards.control.fault('cards:capture', 'down', { times: 100 });
      await cards.advance((7 * 24 - 6) * hour);
      await cards.advance(hour);
      expect((await cards.status(id)).status).toBe('AUTHORIZED');
      await cards.control.noFaults();
      await cards.advance(11 * 60_000);
      await cards.reaches(id, 'COMPLETED');
      expect(await booked(id)).toBe('succeeded 1250');
      expect(await shown(id)).toEqual(['AUTHORIZED', 'COMPLETED']);
    },
  );

  longTest('has one outcome under concurrent captures, cancellations and the job', async () => {
    const ids = await Promise.all(
      ['CAPTURE_BEFORE_EXPIRY', 'CAPTURE_BEFORE_EXPIRY', 'MANUAL_CAPTURE'].map(authorised),
    );
    await cards.advance(lifetime - margin - 1_000);
    const moving = cards.advance(2 * margin);
    const replies = await Promise.all(
      ids.flatMap((id) => [cards.capture(id), cards.cancel(id), cards.capture(id)]),
    );
    await moving;
    for (const { status } of replies) expect([200, 409]).toContain(status);
    for (const id of ids) {
      const ended = await cards.until(async () => {
        const { status } = await cards.status(id);
        return status !== 'AUTHORIZED' && status;
      });
      expect(await booked(id)).toBe(ended === 'COMPLETED' ? 'succeeded 1250' : 'canceled 0');
      expect(await shown(id)).toEqual(['AUTHORIZED', ended]);
    }
  });
});

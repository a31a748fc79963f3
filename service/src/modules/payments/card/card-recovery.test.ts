import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listCases } from '#modules/operator-cases/index.ts';
import {
  type CardPayments,
  cardPayments,
  refundAtProcessor,
} from '../../../../../test/harness/card-payments.ts';
import { findBrokenInvariants } from '../../../../../test/harness/invariants/find-broken-invariants.ts';
import { openSandbox, type Sandbox } from '../../../../../test/harness/open-sandbox.ts';
import { loadPayment } from '../core/store/load-payment.ts';
import { claimCardIntent } from './captures.ts';
import { chargeCard } from './charges.ts';
import { pollCardProcessor } from './poll-card-processor.ts';

let sandbox: Sandbox;
let cards: CardPayments;
let card: Awaited<ReturnType<CardPayments['saveCard']>>;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
});
afterEach(async () => {
  await cards.control.noFaults();
});
afterAll(async () => {
  expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
  await sandbox.close();
});

const booked = async (id: string) =>
  (await cards.control.ofRequest(id)).map(({ status, captured }) => `${status} ${captured}`);
const events = async (id: string) =>
  (await cards.rows('select 1 from event where resource_id = $1', [id])).length;
const endLease = (id: string) =>
  cards.rows(
    `with polls as (update attempt_poll set leased_until = null where payment_request_id = $1)
     update attempt set leased_until = clock_timestamp() - interval '1 second'
     where payment_request_id = $1`,
    [id],
  );

/** As by a program that was killed right after it had committed the charge, or after it had sent it. */
const chargedByTheDead = async (isSent: boolean, captureType = 'AUTO_CAPTURE') => {
  let sent: Promise<unknown> = Promise.resolve();
  const tools = {
    ...sandbox.tools,
    cardRails: sandbox.rails.cardRails,
    chargeSender: {
      send: ({ rail, railState }: Parameters<Sender['send']>[0]) => {
        if (isSent) sent = rail.charge(railState);
      },
      drain: async () => undefined,
    },
  };
  const caller = {
    tenant: sandbox.tenant,
    secretId: sandbox.merchant.secrets.SANDBOX.secretId,
    redirectUrl: null,
    isReadOnly: false,
    by: { kind: 'secret' } as const,
  };
  const body = { ...card, captureType, amount: 12.5, orderId: 'order-1' } as const;
  const reply = await chargeCard(tools, caller, body as never, null);
  await sent;
  if (!('paymentRequestId' in reply)) throw new Error('replayed');
  return reply.paymentRequestId;
};
type Sender = Parameters<typeof chargeCard>[0]['chargeSender'];

const authorised = async (captureType = 'MANUAL_CAPTURE'): Promise<string> => {
  const id = await cards.charged(card, { captureType });
  await cards.reaches(id, 'AUTHORIZED');
  return id;
};

describe('a killed program', () => {
  test.each([
    ['before it sent the charge', false],
    ['after it sent the charge', true],
  ])('%s: charges once when its lease is over', async (_, isSent) => {
    const id = await chargedByTheDead(isSent);
    if (!isSent) {
      // Its lease is valid: no other worker sends what it may be sending.
      expect((await cards.status(id)).status).toBe('PENDING');
      expect(await booked(id)).toEqual([]);
    }
    await endLease(id);
    await cards.reaches(id, 'COMPLETED');
    expect(await booked(id)).toEqual(['succeeded 1250']);
    expect(await events(id)).toBe(1);
  });

  test.each([
    ['CAPTURING', 'COMPLETED', 'succeeded 1250'],
    ['CANCELLING', 'CANCELLED', 'canceled 0'],
  ] as const)('during %s: the request is carried out', async (step, status, line) => {
    const id = await authorised();
    const claim = await claimCardIntent(sandbox.tools, sandbox.tenant, id, {
      ...{ step, wantedBy: 'a test', key: null },
      ...(step === 'CANCELLING' && {
        reason: { cancelledReasonCode: 'Duplicate', cancelledReasonDescription: null },
      }),
    });
    expect(claim.kind).toBe('CLAIMED');
    expect((await cards.status(id)).status).toBe('AUTHORIZED');
    expect((await cards.capture(id)).status).toBe(409);
    expect((await cards.cancel(id)).status).toBe(409);
    await cards.advance(46_000);
    await cards.reaches(id, status);
    expect(await booked(id)).toEqual([line]);
    expect(await events(id)).toBe(2);
  });
});

describe('concurrent polls of one charge', () => {
  test('apply its outcome once', async () => {
    const id = await chargedByTheDead(true, 'MANUAL_CAPTURE');
    const payment = await loadPayment(sandbox.tools.database, sandbox.tenant, id);
    const attemptId = payment?.attempts[0]?.attemptId ?? '';
    await Promise.all(
      Array.from({ length: 10 }, () =>
        pollCardProcessor({ ...sandbox.tools, ...sandbox.rails }, sandbox.tenant, id, attemptId),
      ),
    );
    expect((await cards.status(id)).status).toBe('AUTHORIZED');
    expect(await events(id)).toBe(1);
    expect(await booked(id)).toEqual(['requires_capture 0']);
  });
});

describe('money that arrives after an end without payment', () => {
  test('opens one operator case and changes nothing', async () => {
    const id = await authorised();
    const [row] = await cards.rows('select attempt_id from attempt where payment_request_id = $1', [
      id,
    ]);
    const attemptId = String(row?.attempt_id);
    const set = (status: string, step: string) =>
      cards.rows('update attempt set status = $2, step = $3 where attempt_id = $1', [
        ...[attemptId, status, step],
      ]);
    await set('FAILED', 'ENDED');
    const cases = async () =>
      (await listCases(sandbox.tools, 'OPEN')).filter(({ subject }) => subject === attemptId);
    const pollAs = (source: 'ANYONE' | 'REPORTED_BY_PROCESSOR') =>
      pollCardProcessor(
        { ...sandbox.tools, ...sandbox.rails },
        sandbox.tenant,
        id,
        attemptId,
        source,
      );
    await pollAs('ANYONE');
    expect(await cases()).toEqual([]);
    await pollAs('REPORTED_BY_PROCESSOR');
    await pollAs('REPORTED_BY_PROCESSOR');
    expect(await cases()).toMatchObject([
      {
        kind: 'PROCESSOR_CONTRADICTION',
        evidence: { attemptId, status: 'FAILED', processorReports: 'AUTHORIZED' },
      },
    ]);
    expect((await cards.status(id)).status).toBe('FAILED');
    await set('AUTHORIZED', 'AUTHORISED');
  });
});

/** By no way of ours: as if the request had been ended by hand while its page was open. */
const paidTooLate = async (cardNumber = '4242424242424242') => {
  const page = await cards.openPage();
  await cards.rows(
    `update payment_request set status = 'CANCELLED' where payment_request_id = $1`,
    [page.id],
  );
  await sandbox.rails.payerRail?.payByCard(page.url, { cardNumber });
  await cards.reaches(page.id, 'CANCELLED');
  return page;
};

/** Our own code cannot leave such a state behind: its history is added, so that the books can be verified. */
const recordCancellation = (id: string) =>
  cards.rows(
    `insert into payment_history (merchant_id, environment, payment_request_id, version, position,
       subject, subject_id, from_status, to_status, trigger, occurred_at)
     select merchant_id, environment, payment_request_id, 1, 0, 'REQUEST', payment_request_id,
       'OPEN', 'CANCELLED', 'cancelledByMerchant', now()
     from payment_request where payment_request_id = $1`,
    [id],
  );

const ended = (id: string, reason: string) =>
  cards.until(async () => {
    const [row] = await cards.rows('select * from attempt where payment_request_id = $1', [id]);
    return row?.step === 'ENDED' && row.ended_reason === reason && row;
  });

const opensCase = (subject: string) =>
  cards.until(async () => {
    const open = await listCases(sandbox.tools, 'OPEN');
    return open.some((each) => each.kind === 'LATE_REFUND_REFUSED' && each.subject === subject);
  });

describe('a processor page', () => {
  // First: each attempt that others leave open makes steps of the clock.
  test('that is never paid is closed in time', async () => {
    const page = await cards.openPage({ expiresIn: 86_400_000 });
    await cards.advance(31 * 60_000);
    await cards.reaches(page.id, 'PAYMENT_NOT_INITIATED');
    expect(await events(page.id)).toBe(0);
  });

  test('is closed before its request is cancelled', async () => {
    const page = await cards.openPage();
    const reply = await sandbox.request('POST', `/api/payment-request/cancel/${page.id}`);
    expect([reply.status, reply.body.status]).toEqual([200, 'CANCELLED']);
    const visit = await sandbox.rails.payerRail?.payByCard(page.url, {
      cardNumber: '4242424242424242',
    });
    expect(visit?.kind).toBe('CLOSED');
    expect((await cards.status(page.id)).status).toBe('CANCELLED');
    expect(await events(page.id)).toBe(0);
  });

  test('that was paid meanwhile stops the cancellation', async () => {
    const page = await cards.openPage();
    await sandbox.rails.payerRail?.payByCard(page.url, { cardNumber: '4242424242424242' });
    const reply = await sandbox.request('POST', `/api/payment-request/cancel/${page.id}`);
    expect(reply.status).toBe(400);
    expect((await cards.status(page.id)).status).toBe('COMPLETED');
  });

  test('that was paid too late is refunded once', async () => {
    const page = await paidTooLate();
    await ended(page.id, 'REFUNDED_LATE');
    const [line] = await cards.control.ofRequest(page.id);
    expect(line).toMatchObject({ captured: 500, refunded: 500 });
    await recordCancellation(page.id);
  });

  test('that was paid too late and whose refund fails later opens a case', async () => {
    const page = await paidTooLate('4000000000005126');
    await ended(page.id, 'REFUNDED_LATE');
    await cards.advance(2 * 3_600_000);
    expect((await ended(page.id, 'NOT_REFUNDED_LATE')).error_description).toMatch(
      /not be returned/,
    );
    await opensCase(page.attemptId);
    await recordCancellation(page.id);
  });

  test('that was paid too late and cannot be refunded opens a case', async () => {
    await cards.control.fault('cards:refund', 'status', { status: 400, times: 100 });
    const page = await paidTooLate();
    await opensCase(page.attemptId);
    const [line] = await cards.control.ofRequest(page.id);
    expect(line).toMatchObject({ captured: 500, refunded: 0 });
    // By hand, as the case asks for.
    await cards.control.noFaults();
    await refundAtProcessor(sandbox, line?.paymentIntentId ?? '', 500);
    expect((await ended(page.id, 'REFUNDED_LATE')).error_description).toMatch(/was returned/);
    expect(await listCases(sandbox.tools, 'OPEN')).not.toContainEqual(
      expect.objectContaining({ subject: page.attemptId }),
    );
    expect(
      await cards.rows(
        `select sum(amount_pence)::int as pence from ledger_entry
         where resource_id = $1 and account = 'LATE_MONEY'`,
        [page.id],
      ),
    ).toEqual([{ pence: 0 }]);
    await recordCancellation(page.id);
  });
});

describe('a refusal that tried nothing', () => {
  test('a capture that is unknown or comes too early does not use up its Idempotency-Key', async () => {
    await cards.control.fault('cards:intent', 'slow', { milliseconds: 1_500 });
    const id = await cards.charged(card, { captureType: 'MANUAL_CAPTURE' });
    const headers = { 'idempotency-key': 'capture-too-early' };
    const unknown = '7d1c4a34-0000-4000-8000-000000000000';
    expect((await cards.capture(unknown, { headers })).status).toBe(404);
    expect((await cards.capture(id, { headers })).status).toBe(409);
    await cards.reaches(id, 'AUTHORIZED');
    const later = await cards.capture(id, { headers });
    const body = { success: true, message: 'Payment captured successfully' };
    expect([later.status, later.body]).toEqual([200, body]);
  });
});

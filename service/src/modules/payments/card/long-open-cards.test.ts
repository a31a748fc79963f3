import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createOperatorSecret } from '#modules/operators/index.ts';
import { type CardPayments, cardPayments } from '../../../../../test/harness/card-payments.ts';
import { findBrokenInvariants } from '../../../../../test/harness/invariants/find-broken-invariants.ts';
import { isLongRun } from '../../../../../test/harness/is-long-run.ts';
import { openSandbox, type Sandbox } from '../../../../../test/harness/open-sandbox.ts';
import { claimCardIntent } from './captures.ts';

vi.setConfig({ testTimeout: 180_000 });

const minute = 60_000;
let sandbox: Sandbox;
let cards: CardPayments;
let card: Awaited<ReturnType<CardPayments['saveCard']>>;
let operatorSecret = '';

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
  operatorSecret = (await createOperatorSecret(sandbox.tools, 'Ada')).secret;
});
afterAll(async () => {
  expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
  await sandbox.close();
});

type Opened = { readonly id: string; readonly attemptId: string };

const attemptOf = async (id: string) => {
  const [row] = await cards.rows(
    'select attempt_id, status, step from attempt where payment_request_id = $1',
    [id],
  );
  return row as { attempt_id: string; status: string; step: string };
};
const opened = async (id: string): Promise<Opened> => ({
  id,
  attemptId: (await attemptOf(id)).attempt_id,
});
const leaseOf = async ({ attemptId }: Opened) => {
  const [row] = await cards.rows('select leased_until from attempt_poll where attempt_id = $1', [
    attemptId,
  ]);
  return row?.leased_until;
};
const silence = async () => {
  for (const operation of ['read', 'intent', 'session', 'capture', 'cancel', 'refund'])
    await cards.control.fault(`cards:${operation}`, 'down', { times: 1000 });
};
const authorised = async () => {
  const id = await cards.charged(card, { captureType: 'MANUAL_CAPTURE' });
  await cards.reaches(id, 'AUTHORIZED');
  return opened(id);
};
const claimed = async (step: 'CAPTURING' | 'CANCELLING') => {
  const made = await authorised();
  await silence();
  await claimCardIntent(sandbox.tools, sandbox.tenant, made.id, {
    ...{ step, wantedBy: 'a test', key: null },
    ...(step === 'CANCELLING' && {
      reason: { cancelledReasonCode: 'Duplicate', cancelledReasonDescription: null },
    }),
  });
  return made;
};
const charged = async () => {
  await silence();
  const made = await opened(await cards.charged(card));
  // Its sender writes the attempt once more when it has heard nothing.
  await cards.until(async () => (await leaseOf(made)) === null);
  return made;
};
const page = async (): Promise<Opened> => {
  const made = await cards.openPage();
  await silence();
  return made;
};

const ways = {
  CHARGING: charged,
  STEP_UP: async () => {
    const made = await charged();
    await cards.rows(`update attempt set step = 'STEP_UP' where attempt_id = $1`, [made.attemptId]);
    return made;
  },
  AT_PROCESSOR: page,
  AUTHORISED: async () => {
    const made = await authorised();
    await silence();
    return made;
  },
  CAPTURING: () => claimed('CAPTURING'),
  CANCELLING: () => claimed('CANCELLING'),
} as const;

const casesOf = async ({ attemptId }: Opened) => {
  const path = '/api/operator/cases?status=OPEN&size=100';
  const { body } = await sandbox.request('GET', path, { secret: operatorSecret });
  return body.data.filter(({ subject }: { subject: string }) => subject === attemptId);
};
const record = async ({ id, attemptId }: Opened, outcome: string) => {
  const path = `/api/operator/merchants/${sandbox.tenant.merchantId}/sandbox/payments`;
  return sandbox.request('POST', `${path}/${id}/${attemptId}/outcome`, {
    body: { outcome, evidence: 'The dashboard of the processor' },
    secret: operatorSecret,
  });
};

const silentSteps = ['AT_PROCESSOR', 'CHARGING', 'CANCELLING', 'CAPTURING'] as const;
const openEach = async (): Promise<readonly Opened[]> => {
  const made: Opened[] = [];
  for (const step of isLongRun ? silentSteps : silentSteps.slice(0, 2)) {
    await cards.control.noFaults();
    made.push(await ways[step]());
  }
  return made;
};

describe('a card attempt that stays open too long', () => {
  test('opens one case a day after the processor should have ended it', async () => {
    const made = await openEach();
    // Without the hundreds of polls of its first day.
    for (const { attemptId } of made)
      await cards.rows(
        `update attempt set created_at = created_at - interval '23 hours 55 minutes',
           updated_at = updated_at - interval '23 hours 55 minutes',
           authorise_by_business = authorise_by_business - interval '24 hours 25 minutes'
         where attempt_id = $1`,
        [attemptId],
      );
    await cards.advance(2 * minute);
    for (const each of made) expect(await casesOf(each)).toEqual([]);
    await cards.advance(10 * minute);
    for (const each of made)
      expect(await casesOf(each)).toMatchObject([
        {
          kind: 'PAYMENT_PENDING_LONG',
          merchantId: sandbox.tenant.merchantId,
          evidence: { paymentRequestId: each.id, attemptId: each.attemptId },
        },
      ]);
    await cards.advance(5 * minute);
    for (const each of made) expect(await casesOf(each)).toHaveLength(1);
    // While the processor is still silent: a poll of its answer may end one first.
    for (const each of made) expect((await record(each, 'FAILED')).status).toBe(200);
    await cards.control.noFaults();
  });
});

describe('an outcome that the operator records', () => {
  const representatives = [
    ['CHARGING', 'FAILED', 'FAILED'],
    ['AT_PROCESSOR', 'COMPLETED', 'COMPLETED'],
    ['CAPTURING', 'FAILED', 'CANCELLED'],
  ] as const;
  const others = [
    ['CHARGING', 'COMPLETED', 'COMPLETED'],
    ['STEP_UP', 'COMPLETED', 'COMPLETED'],
    ['STEP_UP', 'FAILED', 'FAILED'],
    ['AT_PROCESSOR', 'FAILED', 'FAILED'],
    ['AUTHORISED', 'COMPLETED', 'COMPLETED'],
    ['AUTHORISED', 'FAILED', 'CANCELLED'],
    ['CAPTURING', 'COMPLETED', 'COMPLETED'],
    ['CANCELLING', 'COMPLETED', 'COMPLETED'],
    ['CANCELLING', 'FAILED', 'CANCELLED'],
  ] as const;
  test.each(isLongRun ? [...representatives, ...others] : representatives)(
    'ends %s as %s: %s, once',
    async (step, outcome, status) => {
      await cards.control.noFaults();
      const made = await ways[step]();
      if (step === 'AT_PROCESSOR') {
        const early = await record(made, outcome);
        expect([early.status, early.body.name]).toEqual([409, 'INVALID_STATE']);
        await cards.rows(
          `update attempt set authorise_by_business = authorise_by_business - interval '1 day'
         where attempt_id = $1`,
          [made.attemptId],
        );
      }
      expect(await attemptOf(made.id)).toMatchObject({ step });
      expect((await record(made, outcome)).body).toMatchObject({ attemptStatus: status });
      expect(await attemptOf(made.id)).toMatchObject({ status, step: 'ENDED' });
      expect((await record(made, outcome)).status).toBe(409);
      expect((await cards.status(made.id)).status).toBe(status);
    },
  );

  test.each([
    ['COMPLETED', 'REFUNDED_LATE', []],
    ['FAILED', 'NOT_REFUNDED_LATE', [{ kind: 'LATE_REFUND_REFUSED' }]],
  ])('ends the return of late money as %s: %s', async (outcome, endedReason, cases) => {
    await cards.control.noFaults();
    const made = await cards.openPage();
    await cards.control.fault('cards:refund', 'down', { times: 1000 });
    await cards.rows(
      `update payment_request set status = 'CANCELLED' where payment_request_id = $1`,
      [made.id],
    );
    await sandbox.rails.payerRail?.payByCard(made.url, { cardNumber: '4242424242424242' });
    await cards.until(async () => (await attemptOf(made.id)).step === 'REFUNDING_LATE');
    await silence();
    expect((await record(made, outcome)).status).toBe(200);
    const [row] = await cards.rows('select step, ended_reason from attempt where attempt_id = $1', [
      made.attemptId,
    ]);
    expect(row).toEqual({ step: 'ENDED', ended_reason: endedReason });
    expect(await casesOf(made)).toMatchObject(cases);
    expect((await record(made, outcome)).status).toBe(409);
    // Our own code cannot end such a request: its history is added, so that the books can be verified.
    await cards.rows(
      `insert into payment_history (merchant_id, environment, payment_request_id, version, position,
         subject, subject_id, from_status, to_status, trigger, occurred_at)
       select merchant_id, environment, payment_request_id, 1, 0, 'REQUEST', payment_request_id,
         'OPEN', 'CANCELLED', 'cancelledByMerchant', now()
       from payment_request where payment_request_id = $1`,
      [made.id],
    );
  });
});

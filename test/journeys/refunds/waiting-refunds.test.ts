import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import {
  draftChange,
  noteRefund,
} from '../../../service/src/modules/refunds/core/change-refunds.ts';
import { commitRefunds } from '../../../service/src/modules/refunds/core/store/commit-refunds.ts';
import { readRefunds } from '../../../service/src/modules/refunds/core/store/read-refunds.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { hideProcessorId } from './hide-processor-id.ts';

const patience = { withinMs: 30_000 };
const timeout = 120_000;
const minute = 60_000;
const day = 24 * 60 * minute;

let journey: Journey;
let operator: string;
beforeAll(async () => {
  journey = await openJourney();
  operator = (await createOperatorSecret(journey.sandbox.tools, 'Ada', null)).secret;
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });
const switches = (body: object) => request('POST', '/api/sandbox/switches', body);

const paidBy = async (login: string, standing: string, amount = 12.5): Promise<string> => {
  const id = await journey.create({ enableTips: false, amount, expiresIn: 60 * day });
  await journey.payer.pay(id, login);
  await journey.becomes(id, standing);
  return id;
};
const refund = async (paymentRequestId: string, amount: number): Promise<string> => {
  const made = await request('POST', '/api/refund', { paymentRequestId, amount });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body.refundId;
};
const refundIs = (id: string, status: string, reason: RegExp | null = null) =>
  waitUntil(async () => {
    const [found] = (await request('GET', `/api/refund/${id}`)).body;
    const isMeant = reason ? reason.test(found.statusReason ?? '') : true;
    if (found.status === status && isMeant) return found;
    throw new Error(JSON.stringify(found));
  }, patience);
const caseOf = async (kind: string, subject: string) => {
  const { body } = await journey.sandbox.request('GET', '/api/operator/cases?size=100', {
    secret: operator,
  });
  const isMeant = (each: { kind: string; subject: string }) =>
    each.kind === kind && each.subject === subject;
  return body.data.find(isMeant);
};

/** As a report would, by the statement that proves no balance. */
const handOverByReport = async (refundId: string) => {
  const { tools, tenant } = journey.sandbox;
  const [refund] = await readRefunds(tools.database, tenant, [refundId]);
  if (!refund) throw new Error('no refund');
  const change = draftChange(refund);
  noteRefund(change, { step: 'HANDED_OVER', waitsFor: null });
  return (await commitRefunds(tools.database, tenant, [change])).refundIds;
};

const versionOf = async (refundId: string): Promise<number> => {
  const [row] = await journey.sandbox.tools.database.system<{ id: string }, { version: number }>(
    {
      name: 'test_refund_version',
      text: 'select version from refund where refund_id = $1::uuid',
      valueNames: ['id'],
    },
    { id: refundId },
  );
  return row?.version ?? NaN;
};

describe('a refund of money that has not arrived', { timeout }, () => {
  longTest('waits for its settlement, and says so', async () => {
    await paidBy('approve', 'COMPLETED ACSC', 100);
    const id = await paidBy('settled-late', 'COMPLETED ACSP');
    await refund(id, 12.5);
    await refundIs(id, 'PENDING', /^SETTLEMENT: /);
    // It is looked at again after a twentieth of its age.
    await journey.advance(11 * minute);
    await refundIs(id, 'COMPLETED');
  });

  test('fails with its payment, so that its payer has the money once', async () => {
    const id = await paidBy('rejected-late', 'COMPLETED ACSP');
    await refund(id, 12.5);
    await refundIs(id, 'PENDING', /^SETTLEMENT: /);
    await journey.advance(3 * minute);
    await refundIs(id, 'FAILED');
  });

  test('is a case after a day, and is not written all the time', async () => {
    await paidBy('approve', 'COMPLETED ACSC', 100);
    // No report of the account is read, so the money has not arrived.
    await journey.control.hubFault({ operation: 'list', kind: 'down', times: 1000 });
    const id = await paidBy('never-settles', 'COMPLETED ACSP');
    const refundId = await refund(id, 12.5);
    await refundIs(id, 'PENDING', /^SETTLEMENT: /);
    await journey.advance(23 * 60 * minute);
    expect(await caseOf('REFUND_OVERDUE', refundId)).toBeUndefined();
    await journey.advance(2 * 60 * minute);
    expect(await caseOf('REFUND_OVERDUE', refundId)).toMatchObject({
      ...{ status: 'OPEN', evidence: { refundId, waitsFor: 'SETTLEMENT' } },
      businessName: 'Corner Coffee',
    });
    // The field that finds a payment finds a merchant's payments as well.
    const path = `/api/operator/payments?search=${encodeURIComponent('corner coff')}`;
    const found = await journey.sandbox.request('GET', path, { secret: operator });
    expect(found.body.data).toContainEqual(expect.objectContaining({ paymentRequestId: id }));
    expect(await versionOf(refundId)).toBeLessThan(300);
    await journey.control.noFaults();
    await journey.advance(31 * minute);
    await refundIs(id, 'COMPLETED');
    expect(await caseOf('REFUND_OVERDUE', refundId)).toMatchObject({ status: 'RESOLVED' });
  });

  test('goes at once where the operator lets it precede', async () => {
    await switches({ refundsBeforeSettlement: true });
    const id = await paidBy('never-settles', 'COMPLETED ACSP');
    await refund(id, 12.5);
    await refundIs(id, 'COMPLETED');
    await switches({ refundsBeforeSettlement: false });
  });
});

longTest('an account without a name is asked for from the start', { timeout }, async () => {
  const id = await paidBy('hidden-name', 'COMPLETED ACSC');
  const refundId = await refund(id, 5);
  await refundIs(id, 'PENDING', /^REFUND_ACCOUNT_NEEDED: /);
  expect(await handOverByReport(refundId)).toEqual([]);
  const account = { sortCode: '089999', accountNumber: '66374958', name: 'Pat Payer' };
  const entered = await request('PUT', `/api/sandbox/refunds/${refundId}/account`, { account });
  expect(entered.status, JSON.stringify(entered.body)).toBe(200);
  await refundIs(id, 'COMPLETED');
});

test('one that cannot be handed over stops no other, and no payout', { timeout }, async () => {
  const faulty = await journey.create({ paymentMethod: ['CARD'], enableTips: false });
  const card = { method: 'CARD', cardNumber: '4242424242424242' };
  await request('POST', `/api/sandbox/payment-requests/${faulty}/pay`, card);
  await journey.becomes(faulty, 'COMPLETED AC[SC]C');
  const restore = await hideProcessorId(journey, faulty);
  const refundId = await refund(faulty, 4);
  const sound = await paidBy('approve', 'COMPLETED ACSC', 40);
  await refund(sound, 5);
  await refundIs(sound, 'COMPLETED');
  await refundIs(faulty, 'INITIATED', /^OPERATOR: /);
  expect(await caseOf('REFUND_HELD', refundId)).toMatchObject({
    status: 'OPEN',
    evidence: { refundId, reason: 'a refund needs the id of the payment at the processor' },
  });
  await journey.advance(5 * day);
  await waitUntil(async () => {
    const { data } = (await request('GET', '/api/payouts?status=SETTLED')).body;
    expect(data.length).toBeGreaterThan(0);
    return true;
  }, patience);
  await restore();
  await journey.advance(6 * minute);
  await refundIs(faulty, 'COMPLETED');
  expect(await caseOf('REFUND_HELD', refundId)).toMatchObject({ status: 'RESOLVED' });
});

const asOwner = async (text: string): Promise<void> => {
  const connectionString = journey.outside.databaseUrl;
  const owner = new pg.Client({ connectionString, options: '-c search_path=florin' });
  await owner.connect();
  await owner.query(text).finally(() => owner.end());
};

/** What PostgreSQL answers when a statement waited too long, to each change that is meant. */
const timeOut = (refundId: string, when: string) =>
  asOwner(
    `create or replace function time_out() returns trigger language plpgsql as
       $$ begin raise exception 'too long' using errcode = '55P03'; end $$;
     create or replace trigger time_out before update on refund for each row
       when (new.refund_id = '${refundId}' and ${when}) execute function time_out()`,
  );

const timeOuts = [
  ['is held', `new.step = 'HANDED_OVER'`, true],
  ['that cannot even be held', 'true', false],
] as const;
longTest.each(timeOuts)(
  'one that times out %s, and the others go on',
  { timeout },
  async (_, when, isHeld) => {
    await switches({ transferHubPaused: true });
    const faulty = await paidBy('approve', 'COMPLETED ACSC', 30);
    const sound = await paidBy('approve', 'COMPLETED ACSC', 40);
    const refundId = await refund(faulty, 4);
    await refundIs(faulty, 'PENDING');
    await timeOut(refundId, when);
    await refund(sound, 5);
    await switches({ transferHubPaused: false });
    await refundIs(sound, 'COMPLETED');
    expect(Boolean(await caseOf('REFUND_HELD', refundId))).toBe(isHeld);
    await asOwner(
      `create or replace function time_out() returns trigger language plpgsql as
       $$ begin return new; end $$`,
    );
    await waitUntil(async () => {
      const [found] = (await request('GET', `/api/refund/${faulty}`)).body;
      if (found.status === 'COMPLETED') return true;
      // One that could not be held may be, when its round ends after the time-outs do.
      if (/^OPERATOR: /.test(found.statusReason ?? '')) await journey.advance(6 * minute);
      throw new Error(JSON.stringify(found));
    }, patience);
  },
);

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../harness/long-test.ts';
import type { Journey } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import {
  balanceAgrees,
  bankAgrees,
  bankBooks,
  cases,
  creditOf,
  day,
  endPeriods,
  endToEndIdOf,
  heldNow,
  isHeld,
  isLookedAtAgain,
  isMatched,
  openDebitJourney,
  operate,
  paid,
  patience,
  payoutWith,
  timeout,
  unexplained,
} from './debit-steps.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openDebitJourney();
});
afterAll(() => journey.close());

describe('a debit of another amount than its payment', { timeout }, () => {
  test('is a case with both sides, and pays nothing out before it is resolved', async () => {
    const { id, endToEndId } = await paid(30);
    const before = await payoutWith('PENDING', '30.00');
    await bankBooks(2900, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await endPeriods();
    await isLookedAtAgain(endToEndId);
    const { caseId, evidence } = await unexplained(2900);
    expect(evidence).toMatchObject({
      ...{ pence: '2900', endToEndId, creditPence: '3000', creditStatus: 'MATCHED' },
      paymentRequestId: id,
    });
    expect(await journey.standing(id)).toBe('COMPLETED ACSC');
    expect(await payoutWith('PENDING', '30.00')).toMatchObject({ id: before.id });
    await bankAgrees();
    await balanceAgrees();
    const resolution = 'The bank took a charge, which the operator bears.';
    expect((await operate('POST', `/cases/${caseId}/resolve`, { resolution })).status).toBe(200);
    expect(await heldNow()).toEqual([]);
    await payoutWith('SETTLED', '30.00');
    await bankAgrees();
  });

  longTest('ends its hold when its credit is reported after all', async () => {
    const { endToEndId } = await paid(31);
    await bankBooks(3300, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await bankBooks(3300, { endToEndId });
    await creditOf(endToEndId, 'REVERSED');
    await waitUntil(async () => (await heldNow()).length === 0, patience);
    const open = await cases('DEBIT_UNEXPLAINED');
    expect(open.filter((each) => each.evidence.endToEndId === endToEndId)).toEqual([]);
    await payoutWith('PENDING', '31.00');
    await endPeriods();
    await payoutWith('SETTLED', '31.00');
  });

  longTest('of a payment that was paid out before holds no later payout', async () => {
    const { endToEndId } = await paid(32);
    await payoutWith('PENDING', '32.00');
    await endPeriods();
    await payoutWith('SETTLED', '32.00');
    await bankBooks(1200, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await paid(34);
    await payoutWith('PENDING', '34.00');
    await endPeriods();
    await payoutWith('SETTLED', '34.00');
    const { caseId } = await unexplained(1200);
    const resolution = 'The bank charged for it.';
    expect((await operate('POST', `/cases/${caseId}/resolve`, { resolution })).status).toBe(200);
  });

  longTest('before its bank accepts the payment, holds it from then on', async () => {
    const id = await journey.create({ enableTips: false, amount: 35, expiresIn: 60 * day });
    await journey.payer.pay(id, 'settled-days-later');
    await journey.becomes(id, 'PENDING PDNG');
    const endToEndId = await endToEndIdOf(id);
    await bankBooks(1500, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    const { caseId, evidence } = await unexplained(1500);
    expect(evidence).toMatchObject({ endToEndId, paymentRequestId: id, creditPence: null });
    const [attempt] = await journey.attemptsOf(id);
    await journey.control.advance([attempt?.rail_reference ?? ''], 10 * day);
    await journey.becomes(id, 'COMPLETED ACSC');
    await isMatched(id);
    const before = await payoutWith('PENDING', '35.00');
    await bankBooks(1501, { endToEndId, isReversal: true });
    await endPeriods();
    await isLookedAtAgain(endToEndId);
    expect(await payoutWith('PENDING', '35.00')).toMatchObject({ id: before.id });
    const other = await unexplained(1501);
    const resolution = 'The bank will credit both again.';
    for (const each of [caseId, other.caseId]) {
      expect(await payoutWith('PENDING', '35.00')).toMatchObject({ id: before.id });
      expect((await operate('POST', `/cases/${each}/resolve`, { resolution })).status).toBe(200);
    }
    await payoutWith('SETTLED', '35.00');
  });
});

test('the books agree', { timeout }, () => journey.allAgree({}));

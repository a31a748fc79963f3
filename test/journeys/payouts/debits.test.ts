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
  heldNow,
  hour,
  isHeld,
  isLookedAtAgain,
  isMatched,
  openDebitJourney,
  operate,
  paid,
  patience,
  payoutWith,
  pollsOf,
  run,
  timeout,
  unexplained,
} from './debit-steps.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openDebitJourney();
});
afterAll(() => journey.close());

describe('a debit of money that was matched', { timeout }, () => {
  test('reverses its payment: the merchant is not paid what the account does not hold', async () => {
    const { id, endToEndId } = await paid(77.01, 'rejected-days-later');
    await payoutWith('PENDING', '77.01');
    await bankBooks(7701, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    expect(await journey.standing(id)).toBe('COMPLETED ACSC');
    await journey.advance(hour);
    await journey.becomes(id, 'FAILED RJCT');
    expect((await journey.eventsOf(id)).slice(-2)).toEqual(['COMPLETED', 'FAILED']);
    await creditOf(endToEndId, 'REVERSED');
    await payoutWith('PENDING', '0.00');
    expect(await pollsOf(id)).toEqual([]);
    await bankAgrees();
    await balanceAgrees();
    expect(await cases('DEBIT_UNEXPLAINED')).toEqual([]);
    // What its bank says at last changes nothing of the money.
    const [attempt] = await journey.attemptsOf(id);
    await journey.control.advance([attempt?.rail_reference ?? ''], 10 * day);
    expect((await journey.eventsOf(id)).slice(-2)).toEqual(['COMPLETED', 'FAILED']);
    await bankAgrees();
  });

  longTest('whose id the bank had hidden reverses its payment too', async () => {
    const login = 'rejected-days-later';
    const { id, endToEndId } = await paid(61, login, { orderId: 'SIM-HIDE-ID' });
    expect(await isMatched(id)).toMatchObject({ matchedBy: 'AMOUNT_AND_NAME', endToEndId: null });
    await bankBooks(6100, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await journey.advance(hour);
    await journey.becomes(id, 'FAILED RJCT');
    expect(await heldNow()).toEqual([]);
    expect(await cases('DEBIT_UNEXPLAINED')).toEqual([]);
    await balanceAgrees();
    const [attempt] = await journey.attemptsOf(id);
    await journey.control.advance([attempt?.rail_reference ?? ''], 10 * day);
  });

  longTest('waits for a second credit, and pays nothing out meanwhile', async () => {
    const { id, endToEndId } = await paid(40);
    const before = await payoutWith('PENDING', '40.00');
    await bankBooks(4000, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await endPeriods();
    await isLookedAtAgain(endToEndId);
    expect(await payoutWith('PENDING', '40.00')).toMatchObject({ id: before.id });
    await bankBooks(4000, { endToEndId });
    await creditOf(endToEndId, 'REVERSED');
    await payoutWith('SETTLED', '40.00');
    expect(await journey.standing(id)).toBe('COMPLETED ACSC');
    expect((await journey.eventsOf(id)).at(-1)).toBe('COMPLETED');
    expect(await heldNow()).toEqual([]);
    await bankAgrees();
    await balanceAgrees();
    expect(await cases('CREDIT_UNMATCHED')).toEqual([]);
  });

  longTest('listed twice holds no payout once it has reversed its payment', async () => {
    const { id, endToEndId } = await paid(51, 'rejected-days-later');
    await bankBooks(5100, { endToEndId, isReversal: true });
    await bankBooks(5100, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await journey.advance(hour);
    await journey.becomes(id, 'FAILED RJCT');
    await unexplained(5100);
    expect(await heldNow()).toEqual([]);
    const [attempt] = await journey.attemptsOf(id);
    await journey.control.advance([attempt?.rail_reference ?? ''], 10 * day);
  });

  longTest('holds the open payout of the account that its store had before', async () => {
    const { endToEndId } = await paid(52);
    const before = await payoutWith('PENDING', '52.00');
    await bankBooks(5200, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await run(
      'change_accounts',
      `update store_bank_account set account_number = '00000999' where $1::text = ''`,
    );
    await endPeriods();
    await isLookedAtAgain(endToEndId);
    expect(await payoutWith('PENDING', '52.00')).toMatchObject({ id: before.id });
    await bankBooks(5200, { endToEndId });
    await payoutWith('SETTLED', '52.00');
    await bankAgrees();
  });

  longTest('a credit after it has waited is a case, and settles nothing', async () => {
    const { id, endToEndId } = await paid(43, 'rejected-days-later');
    await bankBooks(4300, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await journey.advance(hour);
    await journey.becomes(id, 'FAILED RJCT');
    await creditOf(endToEndId, 'REVERSED');
    await bankBooks(4300, { endToEndId });
    await waitUntil(async () => {
      const [found] = await cases('CREDIT_UNMATCHED');
      expect(found?.evidence).toMatchObject({ endToEndId, reason: 'PAYMENT_FAILED' });
      return true;
    }, patience);
    expect(await journey.standing(id)).toBe('FAILED RJCT');
    await balanceAgrees();
    const [attempt] = await journey.attemptsOf(id);
    await journey.control.advance([attempt?.rail_reference ?? ''], 10 * day);
    expect((await journey.eventsOf(id)).slice(-2)).toEqual(['COMPLETED', 'FAILED']);
  });
});

test('a debit without a reference is a case, named once', { timeout }, async () => {
  await bankBooks(4321, { isReversal: true });
  const { caseId } = await unexplained(4321);
  await balanceAgrees();
  const resolution = 'The bank charged for the month.';
  expect((await operate('POST', `/cases/${caseId}/resolve`, { resolution })).status).toBe(200);
  await balanceAgrees();
  const resolved = await cases('DEBIT_UNEXPLAINED', 'RESOLVED');
  expect(resolved.filter((each) => each.caseId === caseId)).toMatchObject([{ resolution }]);
});

test('the books agree', { timeout }, () => journey.allAgree({}));

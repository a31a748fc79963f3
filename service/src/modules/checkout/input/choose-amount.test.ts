import { describe, expect, test } from 'vitest';
import { pence } from '#kernel/pence.ts';
import type { Payment } from '#modules/payments/index.ts';
import { sampleAttempt, samplePayment } from '#modules/payments/test/sample-payment.ts';
import { nothingChosen } from './amount-query.ts';
import { findAmount, tipChoicePence } from './choose-amount.ts';

const percentages = { tipId: 't', type: 'PERCENTAGE', options: [5, 10, 15] } as const;
const fixed = { tipId: 't', type: 'FIXED', options: [100, 200, 500] } as const;
const tipped = (tips: typeof percentages | typeof fixed, allowsCustom = true) =>
  samplePayment({ amountPence: pence(4000), tips: { ...tips, allowsCustom } });
const bill = (changes: Partial<Payment> = {}) => samplePayment({ splitsBill: true, ...changes });
const found = (payment: Payment, fields: object, total?: string) =>
  findAmount(payment, { ...nothingChosen, ...fields }, total);

describe('a tip', () => {
  test.each([
    ['none by default', tipped(percentages), {}, 0],
    ['none', tipped(percentages), { tip: 'none' }, 0],
    ['a percentage', tipped(percentages), { tip: '1' }, 400],
    ['a fixed amount', tipped(fixed), { tip: '2' }, 500],
    ['any amount', tipped(percentages), { tip: 'custom', customTip: '2,50' }, 250],
    ['twice the amount', tipped(percentages), { tip: 'custom', customTip: '80' }, 8000],
    ['ignored without tips', samplePayment(), { tip: '1' }, 0],
  ])('is %s', (_, payment, fields, tipPence) => {
    expect(found(payment, fields)).toMatchObject({ kind: 'CHOSEN', tipPence: BigInt(tipPence) });
  });

  test.each([
    [{ tip: 'custom', customTip: 'lots' }, 'customTip', 'TIP_NOT_AN_AMOUNT'],
    [{ tip: 'custom', customTip: '' }, 'customTip', 'TIP_NOT_AN_AMOUNT'],
    [{ tip: 'custom', customTip: '-1' }, 'customTip', 'TIP_NOT_AN_AMOUNT'],
    [{ tip: 'custom', customTip: '80.01' }, 'customTip', 'TIP_TOO_HIGH'],
    [{ tip: '3' }, 'tip', 'CHOOSE_TIP'],
    [{ tip: '__proto__' }, 'tip', 'CHOOSE_TIP'],
  ])('%j is rejected', (fields, field, code) => {
    expect(found(tipped(percentages), fields)).toMatchObject({ kind: 'PROBLEM', field, code });
  });

  test('of any amount is rejected when the merchant does not allow it', () => {
    const payment = tipped(fixed, false);
    expect(found(payment, { tip: 'custom', customTip: '3' })).toMatchObject({ code: 'CHOOSE_TIP' });
  });

  test.each([
    [10, 999, 100],
    [5, 1010, 51],
    [5, 1009, 50],
    [15, 1, 0],
    [100, 333, 333],
  ])('of %i percent of %i pence is %i pence', (percent, amount, tip) => {
    expect(tipChoicePence('PERCENTAGE', percent, pence(amount))).toBe(BigInt(tip));
  });
});

describe('a share', () => {
  const shareOf = (amount: number) =>
    sampleAttempt({ status: 'COMPLETED', step: 'ENDED', amountPence: pence(amount) });

  test.each([
    ['the rest', bill(), { share: 'rest' }, 6000],
    ['the rest after others', bill({ attempts: [shareOf(2000)] }), { share: 'rest' }, 4000],
    ['a third', bill(), { share: 'equal', paysFor: '1', people: '3' }, 2000],
    ['two sevenths, rounded up', bill(), { share: 'equal', paysFor: '2', people: '7' }, 1715],
    ['of the largest group', bill(), { share: 'equal', paysFor: '1', people: '20' }, 300],
    ['any amount', bill(), { share: 'custom', shareAmount: '£12.50' }, 1250],
    ['the smallest amount', bill(), { share: 'custom', shareAmount: '1' }, 100],
    [
      'what is left below the smallest amount',
      bill({ attempts: [shareOf(5950)] }),
      { share: 'custom', shareAmount: '0.50' },
      50,
    ],
    [
      'the last equal one without a rest of pence',
      bill({ amountPence: pence(1000), attempts: [shareOf(334), shareOf(334)] }),
      { share: 'equal', paysFor: '1', people: '3' },
      332,
    ],
  ])('is %s', (_, payment, fields, amountPence) => {
    const chosen = { kind: 'CHOSEN', amountPence: BigInt(amountPence) };
    expect(found(payment, fields)).toMatchObject(chosen);
  });

  test.each([
    [{}, 'share', 'CHOOSE_SHARE'],
    [{ share: 'custom', shareAmount: 'x' }, 'shareAmount', 'NOT_AN_AMOUNT'],
    [{ share: 'custom', shareAmount: '60.01' }, 'shareAmount', 'MORE_THAN_LEFT'],
    [{ share: 'custom', shareAmount: '59.50' }, 'shareAmount', 'LEAVES_TOO_LITTLE'],
    [{ share: 'custom', shareAmount: '0.50' }, 'shareAmount', 'TOO_SMALL'],
    [{ share: 'custom', shareAmount: '0' }, 'shareAmount', 'TOO_SMALL'],
    [{ share: 'equal', paysFor: '3', people: '2' }, 'people', 'NOT_PEOPLE'],
    [{ share: 'equal', paysFor: '1', people: '21' }, 'people', 'NOT_PEOPLE'],
    [{ share: 'equal', paysFor: '0', people: '2' }, 'people', 'NOT_PEOPLE'],
    [{ share: 'equal', paysFor: '1.5', people: '2' }, 'people', 'NOT_PEOPLE'],
  ])('%j is rejected', (fields, field, code) => {
    const problem = {
      kind: 'PROBLEM',
      field,
      code,
      amount: code === 'CHOOSE_SHARE' ? null : '60.00',
    };
    const expected = code === 'NOT_AN_AMOUNT' ? { ...problem, amount: null } : problem;
    expect(found(bill(), fields)).toMatchObject(expected);
  });

  test('above what is left names the same amount as the page', () => {
    const choosing = sampleAttempt({
      ...{ status: 'AWAITING_AUTHORIZATION', step: 'AT_BANK', amountPence: pence(1000) },
    });
    const fields = { share: 'custom', shareAmount: '500' };
    const expected = { code: 'MORE_THAN_LEFT', amount: '50.00' };
    expect(found(bill({ attempts: [choosing] }), fields)).toMatchObject(expected);
  });

  test('has a tip of its own part', () => {
    const payment = { ...bill(), tips: { ...percentages, allowsCustom: true } };
    const fields = { share: 'custom', shareAmount: '20', tip: '1' };
    expect(found(payment, fields)).toMatchObject({ amountPence: 2000n, tipPence: 200n });
  });
});

describe('the agreed total', () => {
  test.each([
    ['44.00', 'CHOSEN'],
    ['', 'CHOSEN'],
    ['43.00', 'PROBLEM'],
  ])('of %j gives %s', (total, kind) => {
    expect(found(tipped(percentages), { tip: '1' }, total)).toMatchObject({ kind });
  });
});

import { expect, test } from 'vitest';
import { differenceOf, unreturnedOf } from './book-differences.ts';

const [settled, rejected, returned] = ['SETTLED', 'REJECTED', 'RETURNED'] as const;

test.each([
  ['nothing is listed yet', null, null, null, 0, 0],
  ['listed before it is reported', null, 100, null, 0, 0],
  ['another amount before it is reported', null, 90, null, 90, 0],
  ['settled, and no debit is listed', settled, null, null, 0, 0],
  ['settled, as ordered', settled, 100, null, 0, 0],
  ['settled, and less was debited', settled, 90, null, -10, 0],
  ['settled, and debited twice', settled, 200, null, 100, 0],
  ['settled, and listed as returned by nobody', settled, 100, 100, -100, 0],
  ['debited although it was rejected', rejected, 100, null, 100, 100],
  ['debited twice although it was rejected', rejected, 200, null, 200, 100],
  ['rejected, debited and back', rejected, 100, 100, 0, 0],
  ['rejected, and only its return is listed', rejected, null, 100, 0, 0],
  ['returned, and nothing is listed', returned, null, null, 0, 0],
  ['returned by its status, debited and not listed as back', returned, 100, null, 100, 100],
  ['returned by its status, and less was debited', returned, 90, null, 90, 90],
  ['returned by its status, and more was debited', returned, 110, null, 110, 100],
  ['returned, and only its return is listed', returned, null, 100, 0, 0],
  ['returned less charges', returned, 100, 60, 40, 40],
  ['returned with more than left', returned, 100, 110, -10, 0],
])('%s', (_what, outcome, debited, back, difference, held) => {
  const pence = (amount: number | null) => (amount === null ? null : BigInt(amount));
  expect(
    differenceOf({
      amount_pence: 100n,
      outcome,
      debited_pence: pence(debited),
      returned_pence: pence(back),
    }),
  ).toEqual({ difference: BigInt(difference), held: BigInt(held) });
});

test.each([
  ['debited although it was rejected', 100, null, 100, 100],
  ['less was debited', 90, null, 90, 90],
  ['and back', 100, 100, 0, 0],
  ['back less charges', 100, 60, 40, 0],
  ['back less charges, and no debit is listed', null, 60, 40, 0],
  ['debited twice, and once back', 200, 100, 100, 100],
])('what the payee has of a transfer that failed: %s', (_what, debited, back, held, unreturned) => {
  const pence = (amount: number | null) => (amount === null ? null : BigInt(amount));
  const sides = {
    ...{ amount_pence: 100n, outcome: 'REJECTED' as const },
    ...{ debited_pence: pence(debited), returned_pence: pence(back) },
  };
  expect(unreturnedOf(sides, BigInt(held))).toBe(BigInt(unreturned));
});

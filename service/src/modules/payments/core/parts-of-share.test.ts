import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Pence, pence } from '#kernel/pence.ts';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../../../../test/harness/database/open-test-database.ts';
import type { AmountParts, Attempt } from './payment.ts';
import { partsOfShare } from './shares.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await openTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

const includedIn = async (amount: number, percentage: number, others: number): Promise<number> => {
  const { rows } = await client.query('select florin.included_pence($1, $2, $3) as included', [
    amount,
    percentage,
    others,
  ]);
  return Number(rows[0].included);
};

test.each([
  [12000, 20, 0, 2000],
  [4000, 20, 0, 667],
  [13250, 20, 12.5, 2000],
  [13250, 12.5, 20, 1250],
  [1, 100, 0, 1],
  [3, 100, 0, 2],
  [5, 25, 0, 1],
  [10, 0, 12.5, 0],
  [999, 0, 0, 0],
  [10_000, 0.01, 0, 1],
  [10 ** 13, 100, 100, 3_333_333_333_333],
])('of %i pence with %d %% beside %d %% are %i', async (amount, percentage, others, included) => {
  expect(await includedIn(amount, percentage, others)).toBe(included);
});

test('tax and service charge never exceed the amount', async () => {
  const { rows } = await client.query(
    `select amount, t, s from generate_series(1, 150) amount,
       generate_series(0, 100, 2.5) t, generate_series(0, 100, 2.5) s
     where florin.included_pence(amount, t, s) + florin.included_pence(amount, s, t) > amount
       or florin.included_pence(amount, t, s) <> round(amount * t / (100 + t + s))`,
  );
  expect(rows).toEqual([]);
});

const billOf = (amountPence: Pence, tax: number, service: number) => {
  const part = (percentage: number): Pence =>
    pence((amountPence * BigInt(percentage)) / BigInt(100 + tax + service));
  return { amountPence, parts: { taxPence: part(tax), servicePence: part(service) } };
};

const paid = (amountPence: Pence, parts: AmountParts): Attempt =>
  ({ amountPence, parts, status: 'COMPLETED' }) as Attempt;

const shares = fc.array(fc.bigInt({ min: 100n, max: 10n ** 9n }).map(pence), {
  minLength: 1,
  maxLength: 40,
});
const percentage = fc.integer({ min: 0, max: 100 });

describe('the parts of shares', () => {
  test('sum exactly when the bill is paid, and never exceed their share', () => {
    fc.assert(
      fc.property(shares, percentage, percentage, (amounts, tax, service) => {
        const bill = billOf(pence(amounts.reduce((all, each) => all + each, 0n)), tax, service);
        const attempts: Attempt[] = [];
        for (const amount of amounts) {
          const parts = partsOfShare({ ...bill, attempts }, { amountPence: amount });
          expect(parts.taxPence + parts.servicePence <= amount).toBe(true);
          attempts.push(paid(amount, parts));
        }
        const sum = (part: keyof AmountParts) =>
          attempts.reduce((all, { parts }) => all + (parts?.[part] ?? 0n), 0n);
        expect(sum('taxPence')).toBe(bill.parts.taxPence);
        expect(sum('servicePence')).toBe(bill.parts.servicePence);
      }),
    );
  });

  test('do not change once shown', () => {
    const shown = { taxPence: pence(7), servicePence: pence(3) };
    const bill = { ...billOf(pence(1000), 20, 10), attempts: [] };
    expect(partsOfShare(bill, { amountPence: pence(400), parts: shown })).toBe(shown);
  });
});

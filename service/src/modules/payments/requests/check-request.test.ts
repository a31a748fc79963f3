import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '#kernel/failure.ts';
import { checkRequest } from './request-payment.ts';

const order = { customerId: 'c', orderId: 'o', amount: 10 };
const check = (more: object) =>
  checkRequest({ ...order, ...more }, 'SANDBOX', (id) => id === 'bank');
const fieldsRefused = (more: object): readonly string[] => {
  try {
    check(more);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.errors.map(({ field }) => field);
  }
};

describe('the amount', () => {
  test('is read exactly with up to two decimals, as number or text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 10 ** 12 }), (inPence) => {
        const text = `${Math.floor(inPence / 100)}.${String(inPence % 100).padStart(2, '0')}`;
        expect(check({ amount: text }).amountPence).toBe(BigInt(inPence));
        expect(check({ amount: Number(text) }).amountPence).toBe(BigInt(inPence));
      }),
    );
  });

  test('is otherwise rejected by name and never rounded', () => {
    const odd = fc.oneof(
      fc.double().filter((amount) => !/^\d{1,13}(\.\d{1,2})?$/.test(String(amount))),
      fc.string().filter((text) => !/^\d{1,13}(\.\d{1,2})?$/.test(text)),
      fc.integer({ min: 0, max: 99 }).map((inPence) => inPence / 100),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, -1, '1e3', '0x10', ' 5', '5 ', ''),
      fc.constantFrom('١٢', '1,000.00', '5.', '.5', '+5', '12.345', '99999999999999'),
    );
    fc.assert(
      fc.property(odd, (amount) => {
        expect(fieldsRefused({ amount })).toEqual(['amount']);
      }),
    );
  });
});

describe('expiresIn', () => {
  const max = 400 * 24 * 3_600_000;

  test('whole milliseconds from 1 to 400 days, as number or digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: max }), (expiresIn) => {
        expect(check({ expiresIn }).expiresInMs).toBe(expiresIn);
        expect(check({ expiresIn: String(expiresIn) }).expiresInMs).toBe(expiresIn);
      }),
    );
  });

  test.each([0, -1, 1.5, max + 1, '', 'abc', '1e3', ' 5', Number.NaN, '0'])(
    'rejects %j',
    (expiresIn) => expect(fieldsRefused({ expiresIn })).toEqual(['expiresIn']),
  );

  test('is three minutes by default', () => {
    expect(check({}).expiresInMs).toBeNull();
  });
});

describe('other members', () => {
  test('are accepted whole or rejected by name, in any combination', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean());
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (callbackParams) => {
        const refused = fieldsRefused({ callbackParams });
        for (const field of refused) expect(field).toMatch(/^callbackParams/);
        // {"":""} is how published clients say none.
        const { '': unnamed, ...named } = callbackParams;
        const kept = unnamed === '' ? named : callbackParams;
        if (refused.length === 0) expect(check({ callbackParams }).callbackParams).toEqual(kept);
      }),
      { examples: [[{ '': '' }], [{ '': '', order: 1 }], [{ '': ' ' }]] },
    );
  });

  test('that are wrong are all named', () => {
    const refused = fieldsRefused({ amount: 0, expiresIn: 0, redirectUrl: 'javascript:alert(1)' });
    expect(refused.toSorted()).toEqual(['amount', 'expiresIn', 'redirectUrl']);
  });

  test('that name the customer twice must agree', () => {
    const one = '7f0c7a3e-0000-4000-8000-000000000001';
    const other = '7f0c7a3e-0000-4000-8000-000000000002';
    expect(check({ serviceCustomerId: one, atoaCustomerId: one }).customerId).toBe(one);
    expect(fieldsRefused({ serviceCustomerId: one, atoaCustomerId: other })).toEqual([
      'serviceCustomerId',
    ]);
  });
});

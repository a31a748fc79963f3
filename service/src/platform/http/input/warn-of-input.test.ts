import { requestPayment, searchTransactions } from '@florin/contract';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { suggestName, warnOfInput } from './warn-of-input.ts';

const ofPayment = (body: unknown) => warnOfInput(requestPayment, { query: {}, body });

describe('warnOfInput', () => {
  test.each([
    [
      { redirectURL: 'https://shop.example' },
      'redirectURL is not known; did you mean redirectUrl?',
    ],
    [{ redirect_url: 'x' }, 'redirect_url is not known; did you mean redirectUrl?'],
    [{ ammount: 1 }, 'ammount is not known; did you mean amount?'],
    [{ colour: 'red' }, 'colour is not known and is ignored.'],
    [
      { consumerDetails: { phoneNumbr: '7' } },
      'consumerDetails.phoneNumbr is not known; did you mean consumerDetails.phoneNumber?',
    ],
    [{ expiresIn: 200 }, 'expiresIn is in milliseconds: this link lives 0.2 s.'],
    [{ expiresIn: '900' }, 'expiresIn is in milliseconds: this link lives 0.9 s.'],
    [{ amount: 1250 }, 'amount is in pounds: this requests 1,250.00.'],
    [{ 'a\r\nset-cookie: x': 1 }, 'A member of the request is not known.'],
    [{ ключ: 1 }, 'A member of the request is not known.'],
    [{ [`a${'b'.repeat(60)}`]: 1 }, 'A member of the request is not known.'],
  ])('%j', (body, expected) => {
    expect(ofPayment(body)).toEqual([expected]);
  });

  test.each([
    [{ amount: 12.5, expiresIn: 900_000, callbackParams: { any: 1, thing: 'x' } }],
    [{ amount: 'abc', expiresIn: true, notes: null }],
    [null],
    ['text'],
    [[{ amount: 1250 }]],
  ])('says nothing of %j', (body) => {
    expect(ofPayment(body)).toEqual([]);
  });

  // Not in the table: a title with a card number would stand in the report of the tests.
  test('repeats no card number that stands in a name', () => {
    const body = { [`card${'4242'.repeat(4)}`]: 1 };
    expect(ofPayment(body)).toEqual(['A member of the request is not known.']);
  });

  test('reads the query too', () => {
    expect(warnOfInput(searchTransactions, { query: { pages: '1' }, body: {} })).toEqual([
      'pages is not known; did you mean page?',
    ]);
  });

  test('stops after five and after twenty items of a list', () => {
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`unknown${at}`, 1]));
    const said = ofPayment(many);
    expect(said).toHaveLength(6);
    expect(said.at(-1)).toBe('3995 more like these.');
    const unusual = { wholeFrom: 1, words: () => 'is one' };
    const row = Type.Object({ amount: Type.Number({ unusual }) });
    const listed = { ...requestPayment, body: Type.Object({ rows: Type.Array(row) }) };
    const rows = Array.from({ length: 500 }, () => ({ amount: 2 }));
    expect(warnOfInput(listed, { query: {}, body: { rows } }).at(-1)).toBe('15 more like these.');
  });

  test('is fit for a header', () => {
    const names = ['\n', '\u2028', '"', 'a,b', '__proto__x', 'constructor', 'toString'];
    for (const name of names)
      expect(ofPayment(Object.fromEntries([[name, 1]])).join(' ')).toMatch(/^[\x20-\x7e]{1,200}$/);
  });
});

describe('suggestName', () => {
  test.each([
    ['amuont', 'amount'],
    ['order-id', 'orderId'],
    ['ORDERID', 'orderId'],
    ['orderID', 'orderId'],
    ['xyz', null],
    ['', null],
  ])('%s: %s', (sent, meant) => {
    expect(suggestName(sent, ['orderId', 'amount', 'notes'])).toBe(meant);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLongRun } from '../../../../test/harness/is-long-run.ts';
import { findCardNumbers } from './find-card-numbers.ts';
import { maskCardNumbers } from './mask-card-numbers.ts';
import { testCardNumbers } from './test-card-numbers.ts';

const runs = isLongRun ? 2_000 : 400;
const visa = '4242424242424242';
const amex = '378282246310005';
const unknownToUs = '4539578763621486';

const found = (text: string): readonly string[] =>
  findCardNumbers(text).map(({ digits }) => digits);

const grouped = (digits: string, separator: string): string =>
  digits.match(/.{1,4}/g)?.join(separator) ?? '';

const separators = [
  ...['', ' ', '-', '.', '\u00a0', '\u2009', '\u2011', '/', ' - ', '+', '_'],
  ...['%20', '%2D', '%C2%A0', '%2520', '\\u00a0', '\\t', '&nbsp;', '&#160;'],
];

const surroundings: readonly (readonly [string, string])[] = [
  ['', ''],
  ['card ', ' thanks'],
  ['card', ''],
  ['{"orderId":"', '"}'],
  ['https://a.example/pay?card=', '&x=1'],
  ['%7B%22number%22%3A%22', '%22%7D'],
  ['number%3D', '%26cvc'],
  ['12 boxes, paid with ', ', 3 left'],
  ['line\\n', '\\r\\n'],
  ['\u201c', '\u201d'],
  ['%B', '^DOE/JOHN^2512'],
  ['Error: ', '\n    at charge (file:///srv/app.ts:12:34)'],
];

describe('card numbers are found', () => {
  test('in every spacing and context, also with a wrong check digit', () => {
    const missed = [...testCardNumbers, unknownToUs].flatMap((number) =>
      separators.flatMap((separator) =>
        surroundings.flatMap(([before, after]) => {
          const text = `${before}${grouped(number, separator)}${after}`;
          return found(text).join() === number ? [] : [text];
        }),
      ),
    );
    expect(missed).toEqual([]);
  });

  test('as printed on cards of fifteen or fourteen digits', () => {
    expect(found('3782 822463 10005')).toEqual([amex]);
    expect(found('3714-496353-98431')).toEqual(['371449635398431']);
    expect(found('3852 000002 3237')).toEqual(['38520000023237']);
    expect(found('42424242 42424242')).toEqual([visa]);
  });

  test('of the sandbox even with unusual spacing', () => {
    expect(found('4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2')).toEqual([visa]);
    expect(found('order 77 4000 00 0000 00 0127')).toEqual(['4000000000000127']);
    expect(found('00042424242424242429')).toEqual([visa]);
    expect(found(`100%${visa}`)).toEqual([visa]);
  });

  test('several in one text, each with its position', () => {
    const text = `a ${visa}, b 4539 5787 6362 1486; c ${visa}`;
    expect(found(text)).toEqual([visa, unknownToUs, visa]);
    expect(maskCardNumbers(text)).toBe('a ****4242, b ****1486; c ****4242');
  });
});

describe('other digits are left alone', () => {
  test.each([
    ['a date and an amount', '2026-11-21 07:02:36.123 paid 4000.00 of 52000.00 on 21.11.2026'],
    ['times without separators', '20261121070236123 and 1795244556123 and 1795244556123456'],
    ['an IBAN', 'GB29NWBK60161331926819'],
    ['a spaced IBAN of a bank whose code begins as a card', 'GB98 LOYD 3000 0001 4814 84'],
    ['a Finnish IBAN', 'FI4910000032098742, FI49 1000 0032 0987 42'],
    ['sort code and account', '30-00-02 12345678, 300002 12345678'],
    ['telephone numbers', '+44 7700 900123 and 07700 900124, +4915123456789'],
    ['a telephone itself', 'IMEI 353918057834520'],
    ['a SIM', '8944110068312345678'],
    ['an order of a big shop', '206-4539578-7636214'],
    ['numbers of shops', 'order 5432167890120, 6543217890125'],
    ['a hash', '5f4a4539578763621486bc0d1e'],
    ['a version and an address', '1.2.3.4.5.6.7.8.9.10 192.168.100.200 10.20.30.40'],
    ['prices in lines', '52.00\n30.00\n12.00\n40.00'],
    ['a wrong check digit', '4539578763621487'],
  ])('%s', (_, text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });

  const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const word = (alphabet: string, length: number) =>
    fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
  const isLeftAlone = (text: string): void => {
    expect(maskCardNumbers(text)).toBe(text);
  };

  test.each<[string, fc.Arbitrary<string>]>([
    ['UUIDs', fc.uuid()],
    ['UUIDs that are digits only', word('0123456789', 32).map(asUuid)],
    ['lists of UUIDs', fc.array(fc.uuid(), { maxLength: 20 }).map((each) => each.join(' '))],
    ['ISO times', fc.date({ noInvalidDate: true }).map((date) => date.toISOString())],
    ['ids of payments', word('0123456789abcdefghijklmnopqrstuvwxyz', 31)],
    ['ids and secrets', word(base62, 43).map((each) => `whsec_${each}`)],
    ['digests', word('0123456789abcdef', 64)],
    ['amounts', fc.integer({ min: 0, max: 99_999_999 }).map((pence) => (pence / 100).toFixed(2))],
    ['milliseconds', fc.integer({ min: 1_000_000_000_000, max: 2_999_999_999_999 }).map(String)],
  ])('%s', (_, texts) => {
    fc.assert(fc.property(texts, isLeftAlone), { numRuns: runs, seed: 57 });
  });
});

const asUuid = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

describe('masking', () => {
  test('keeps the last four digits, never lengthens a text, and keeps JSON readable', () => {
    const text = JSON.stringify({ a: Number(visa), b: [1, Number(amex)], c: `x ${visa}`, d: 7 });
    expect(JSON.parse(maskCardNumbers(text))).toEqual({
      a: '****4242',
      b: [1, '****0005'],
      c: 'x ****4242',
      d: 7,
    });
  });

  test('leaves no test number in any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...testCardNumbers,
        unknownToUs,
        ' ',
        '-',
        '%20',
        '\\n',
        '4',
        '42',
        '%',
        '%42',
        '\\',
      ),
      fc.string({ maxLength: 4 }),
    );
    const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    const isClean = (text: string) => {
      const masked = maskCardNumbers(text);
      expect(masked.length).toBeLessThanOrEqual(text.length);
      for (const number of testCardNumbers) expect(masked).not.toContain(number);
    };
    fc.assert(fc.property(texts, isClean), { numRuns: runs, seed: 57 });
  });

  test.each([
    ['JSON', JSON.stringify({ id: 'a1b2-c3', at: '2026-11-21T07:02:36.123Z', amount: '12.34' })],
    ['digits', '4242'],
    ['groups', '4242 '],
    ['prices', '5200 3000 1200 4001 '],
    ['backslashes', '\\'],
    ['percent signs', '%25'],
    ['escapes', '%e2%80%'],
    ['hexadecimal', 'a4539578763621486'],
    ['letters', 'AA11 '],
    ['cards', `${unknownToUs},`],
  ])('reads a megabyte of %s at once', (_, piece) => {
    const tookMs = (length: number): number => {
      const text = piece.repeat(Math.ceil(length / piece.length));
      const started = performance.now();
      maskCardNumbers(text);
      return performance.now() - started;
    };
    const eighthMs = tookMs(1_048_576 / 8);
    // On a machine that is busy the eighth is slow too; looking again from each character takes 64 times it.
    expect(tookMs(1_048_576)).toBeLessThan(Math.max(5_000, 24 * eighthMs));
  });
});

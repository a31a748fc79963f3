import { expect, test } from 'vitest';
import { csvPounds, csvTime, writeCsv } from './export-button.tsx';

const cell = (value: string | number | null) =>
  writeCsv([value], [{ title: 'Value', value: (each) => each }]);

test.each([
  ['plain', 'plain'],
  [12.5, '12.5'],
  [-3, '-3'],
  [null, ''],
  ['a, b', '"a, b"'],
  ['she said "no"', '"she said ""no"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2', "'-2"],
])('%s is written as %s', (value, expected) => {
  expect(cell(value)).toBe(`Value\r\n${expected}\r\n`);
});

test('amounts have both decimals, and times say their distance from UTC', () => {
  expect(csvPounds(12.5)).toEqual({ amount: '12.50' });
  expect(csvPounds(-3)).toEqual({ amount: '-3.00' });
  expect(csvTime('2026-07-01T13:02:11.000Z')).toBe('2026-07-01 14:02:11 +01:00');
  expect(csvTime('2026-01-01T00:02:11.000Z')).toBe('2026-01-01 00:02:11 +00:00');
});

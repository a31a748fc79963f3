import { expect, test } from 'vitest';
import { writeCsv } from './export-button.tsx';

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

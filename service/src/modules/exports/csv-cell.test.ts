import { expect, test } from 'vitest';
import { csvCell, csvLine } from './write-export.ts';

test.each([
  ['a formula', '=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['a plus', '+44 20', "'+44 20"],
  ['a minus', '-2+3', "'-2+3"],
  ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
  ['a tab', '\t=1', `"'\t'=1"`],
  ['a carriage return', '\r=1', `"'\r=1"`],
  ['a semicolon', ';=1+1', `"';'=1+1"`],
  ['an inner semicolon', 'a; =1+1', `"a;' =1+1"`],
  ['a bar', '|@SUM(A1)', `"'|'@SUM(A1)"`],
  ['a blank', ' =1', "' =1"],
  ['a line break', '\n=1', `"'\n=1"`],
  ['a full-width sign', '＝1+1', "'＝1+1"],
  ['a full-width plus', '＋1', "'＋1"],
  ['a full-width minus', '－1', "'－1"],
  ['a full-width at sign', '＠A1', "'＠A1"],
  ['a plain semicolon', 'a;b', '"a;b"'],
  ['a comma', 'two, three', '"two, three"'],
  ['a quotation mark', 'say "no"', '"say ""no"""'],
  ['a line', 'one\ntwo', '"one\ntwo"'],
  ['plain text', 'table 4', 'table 4'],
  ['an inner sign', 'a=b', 'a=b'],
  ['nothing', null, ''],
  ['a number', -1.5, '-1.5'],
  ['a truth', true, 'true'],
  ['an amount that is deducted', { amount: '-2.50' }, '-2.50'],
])('%s', (_, value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test('a line ends as RFC 4180 says', () => {
  expect(csvLine(['a', null, { amount: '1.00' }])).toBe('a,,1.00\r\n');
});

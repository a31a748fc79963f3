import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchBanks } from './search-banks.ts';

const bank = (name: string, fullName = name, aliases: readonly string[] = []) => ({
  name,
  fullName,
  aliases,
});

// Invented, but shaped as the names that people really type.
const banks = [
  bank('NorthWest', 'Northern Westshire Bank plc'),
  bank('Royal Bank of Strathmore'),
  bank('first avenue', 'First Avenue Bank plc'),
  bank('Santélia', 'Santélia UK'),
  bank('Nationward', 'Nationward Building Society'),
  bank('Harbour & Quay', 'Harbour and Quay Bank plc'),
  bank('Co-opera Bank', 'The Co-opera Bank plc'),
  bank('Larks', 'Larks Bank', ['Birdie']),
];

const first = (text: string) => searchBanks(banks, text)[0]?.name;

test.each([
  ['northwest', 'NorthWest'],
  ['north west', 'NorthWest'],
  ['NORTHWSET', 'NorthWest'],
  ['nothwest', 'NorthWest'],
  ['rbs', 'Royal Bank of Strathmore'],
  ['rbos', 'Royal Bank of Strathmore'],
  ['strathmoor', 'Royal Bank of Strathmore'],
  ['firstavenue', 'first avenue'],
  ['fa', 'first avenue'],
  ['santelia', 'Santélia'],
  ['nationw', 'Nationward'],
  ['natoinward', 'Nationward'],
  ['harbour and quay', 'Harbour & Quay'],
  ['harbor', 'Harbour & Quay'],
  ['coopera', 'Co-opera Bank'],
  ['birdie', 'Larks'],
  ["lark's", 'Larks'],
])('%s finds %s', (text, name) => {
  expect(first(text)).toBe(name);
});

test('an empty search shows all banks in their order', () => {
  expect(searchBanks(banks, '  ')).toBe(banks);
});

test('an unknown name finds none', () => {
  expect(searchBanks(banks, 'qwxyz')).toEqual([]);
});

test('short words must match exactly: a typo in three letters would find everything', () => {
  expect(searchBanks(banks, 'rbz')).toEqual([]);
});

test('every bank is found by its own name, and no text breaks the search', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(banks).toEqual(expect.arrayContaining([...searchBanks(banks, text)]));
    }),
  );
  for (const each of banks) {
    expect(searchBanks(banks, each.name)).toContain(each);
    expect(searchBanks(banks, each.fullName)).toContain(each);
  }
});

import { assert, property, stringMatching } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonError } from './read-json.ts';

describe('findJsonError', () => {
  test.each([
    ['{"amount": 1,}', 1, 14, 'a comma stands before it'],
    ['[1,]', 1, 4, 'a comma stands before it'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma or } is missing'],
    ["{'a': 1}", 1, 2, 'a name in double quotes is missing'],
    ['{"a": $AMOUNT}', 1, 7, 'a value is missing, or not written as JSON'],
    ['{"a" 1}', 1, 6, 'a colon is missing'],
    ['{"a": "open', 1, 7, 'a text has no end, or a character that must be escaped'],
    ['{"a": "two\nlines"}', 1, 7, 'a text has no end, or a character that must be escaped'],
    ['{"a": 1', 1, 8, 'it ends too early'],
    ['{} {}', 1, 4, 'nothing may follow here'],
    ['[01]', 1, 2, 'a value is missing, or not written as JSON'],
    ['', 1, 1, 'it ends too early'],
  ])('%j stops at line %i, column %i', (text, line, column, reason) => {
    expect(findJsonError(text)).toEqual({ line, column, reason });
  });

  test('finds an error exactly where JSON.parse refuses', () => {
    const written = stringMatching(/^[{}[\]:," \n\\0-9a-eu.+-]{0,12}$/);
    void assert(
      property(written, (text) => {
        expect(findJsonError(text) === null).toBe(isJson(text));
        const inside = `{"a":[${text}],"b":"${text}"}`;
        expect(findJsonError(inside) === null).toBe(isJson(inside));
      }),
      { numRuns: 2000 },
    );
  });

  test('takes a body at the limit in one pass', () => {
    expect(findJsonError('['.repeat(65_536))).toMatchObject({ column: 65_537 });
    expect(findJsonError(`"${'\\n'.repeat(32_000)}`)).toMatchObject({ column: 1 });
  });
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { idsOfShortCode, shortCode } from './payment-addresses.ts';

test('a code has 17 URL-safe characters and gives the time range of its id', () => {
  const edges = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'];
  for (const id of [...edges, ...Array.from({ length: 500 }, () => randomUUID())]) {
    const code = shortCode(id);
    expect(code).toMatch(/^[\w-]{17}$/);
    const { first = '', last = '' } = idsOfShortCode(code) ?? {};
    expect(first <= id && id <= last).toBe(true);
    expect(first.slice(0, 31)).toBe(last.slice(0, 31));
    expect(shortCode(first)).toBe(code);
    expect(shortCode(last)).toBe(code);
  }
});

test('other text is no code', () => {
  for (const wrong of ['', 'a'.repeat(16), 'a'.repeat(18), `${'a'.repeat(16)}.`, 'ä'.repeat(17)])
    expect(idsOfShortCode(wrong)).toBeNull();
});

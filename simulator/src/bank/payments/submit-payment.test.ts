import { expect, test } from 'vitest';
import { contentHash } from '../wire/read-body.ts';
import { firstDifference } from './submit-payment.ts';

const same = { a: 1, list: [{ b: 'x' }, null], deep: { c: true } };

test('member order does not make two values differ', () => {
  const turned = { deep: { c: true }, list: [{ b: 'x' }, null], a: 1 };
  expect(firstDifference(same, turned, 'Data')).toBeUndefined();
  expect(contentHash(same)).toBe(contentHash(turned));
});

test('names the member that differs', () => {
  const other = { ...same, list: [{ b: 'y' }, null] };
  expect(firstDifference(same, other, 'Data')).toBe('Data.list[0].b');
  expect(firstDifference(same, { ...same, more: 1 }, 'Data')).toBe('Data.more');
  expect(firstDifference(same, { ...same, list: [] }, 'Data')).toBe('Data.list');
  expect(contentHash(same)).not.toBe(contentHash(other));
});

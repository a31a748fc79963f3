import { expect, test } from 'vitest';
import { setBounded } from './set-bounded.ts';

test('a full map drops the entry that was set longest ago', () => {
  const map = new Map<string, number>();
  for (const key of ['a', 'b', 'a', 'c']) setBounded(map, key, 1, 2);
  expect([...map.keys()]).toEqual(['a', 'c']);
});

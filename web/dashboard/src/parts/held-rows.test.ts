import { expect, test } from 'vitest';
import { holdRows } from './held-rows.tsx';

const rowsOf = (text: string) => text.split(' ').map((row) => ({ id: row[0] ?? '', row }));

test.each([
  ['nothing has changed', 'a b c', 'a b c', 'a b c', 0],
  ['one has another state', 'a b c', 'a b2 c', 'a b2 c', 0],
  ['two came, and moved two off the page', 'a b c', 'x y a', 'a b c', 2],
  ['all are new', 'a b c', 'x y z', 'a b c', 3],
  ['one has left the filter, and the next page fills its place', 'a b c', 'a c d', 'a c d', 0],
  ['one has left, and another came', 'a b c', 'x a c', 'a c', 1],
  ['the last one has left, and nothing came', 'a b c', 'a b', 'a b', 0],
])('%s', (_, held, read, shown, came) => {
  const found = holdRows(rowsOf(held), rowsOf(read), ({ id }) => id);
  expect(found.rows.map(({ row }) => row).join(' ')).toBe(shown);
  expect(found.came).toBe(came);
});

import { expect, test } from 'vitest';
import { viewQuery } from './saved-views.tsx';

test.each([
  ['', '?'],
  ['?page=2', '?'],
  ['?page=2&status=FAILED,EXPIRED', '?status=FAILED,EXPIRED'],
  ['?status=FAILED&before=123.x', '?status=FAILED'],
  ['?search=caf%C3%A9+%26+co', '?search=caf%C3%A9+%26+co'],
  ['?min=300&bank=harbour', '?bank=harbour&min=300'],
])('of %s a view saves %s', (search, saved) => {
  expect(viewQuery(search)).toBe(saved);
});

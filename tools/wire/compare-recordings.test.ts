import { expect, test } from 'vitest';
import { compareRecordings, type Recording } from './compare-recordings.ts';

const seenIn = { file: 'a.test.ts', test: 'a' };
const key = 'GET /api/things 200';
const run = (...texts: readonly string[]): Recording =>
  new Map([[key, new Map(texts.map((text) => [text, seenIn]))]]);

test('a reply of every run is equal', () => {
  expect(compareRecordings([run('a'), run('a')], [run('a')])).toEqual({
    equal: 1,
    recombined: 0,
    unsteady: 0,
    differences: [],
  });
});

test('a reply that only one side gives is lost or added', () => {
  const { differences } = compareRecordings([run('a', 'b')], [run('b', 'c')]);
  expect(differences.map(({ reply }) => reply)).toEqual([key]);
  expect(differences.flatMap(({ lost }) => [...lost.keys()])).toEqual(['a']);
  expect(differences.flatMap(({ added }) => [...added.keys()])).toEqual(['c']);
});

test('an operation without replies is a difference', () => {
  expect(compareRecordings([run('a')], [new Map()]).differences).toHaveLength(1);
});

test('a reply that depends on timing is ignored', () => {
  expect(compareRecordings([run('a', 'b'), run('a')], [run('a'), run('a', 'c')])).toEqual({
    equal: 1,
    recombined: 0,
    unsteady: 2,
    differences: [],
  });
});

test('lines that the other side gives in other replies are recombined', () => {
  expect(compareRecordings([run('a\nb', 'c\nd')], [run('a\nd', 'c\nb')])).toEqual({
    equal: 0,
    recombined: 4,
    unsteady: 0,
    differences: [],
  });
});

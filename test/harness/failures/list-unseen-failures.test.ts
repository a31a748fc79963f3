import { expect, test } from 'vitest';
import { isWholeRun, listUnseenFailures } from './list-unseen-failures.ts';

test('lists an unseen failure with its operation', () => {
  const named = [
    { id: 'buyTea', failsWith: ['notFound', 'invalidState'] },
    { id: 'drinkTea', failsWith: ['notFound'] },
  ] as const;
  const seen = new Set(['buyTea NOT_FOUND', 'drinkTea INVALID_STATE']);
  expect(listUnseenFailures(named, seen)).toEqual(['buyTea INVALID_STATE', 'drinkTea NOT_FOUND']);
});

test('demands that some input was refused, and who may not call', () => {
  const named = [{ id: 'pourTea', failsWith: [], access: 'sandboxSecret', query: {} }] as const;
  const unseen = ['pourTea BAD_REQUEST', 'pourTea SANDBOX_ONLY'];
  expect(listUnseenFailures(named, new Set())).toEqual(unseen);
});

test.each([
  [['run'], true],
  [['run', '--reporter=json', '--outputFile.json=/tmp/x', '--maxWorkers=1'], true],
  [['run', 'test/crash'], false],
  [['run', '-t', 'expiry'], false],
  [['run', '--testNamePattern=expiry'], false],
  [['run', '--shard=1/2'], false],
])('%j is a whole run: %s', (words, isWhole) => {
  expect(isWholeRun(words)).toBe(isWhole);
});

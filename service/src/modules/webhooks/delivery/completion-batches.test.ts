import { expect, test } from 'vitest';
import type { AttemptResult } from './attempt/attempt-delivery.ts';
import { completionBatches } from './completion-batches.ts';

const open = (mayWait: boolean) => {
  const written: number[] = [];
  const batches = completionBatches({
    healthsWith: () => [],
    write: async ({ results }) => {
      written.push(results.length);
      return { results: [], healths: [], error: null };
    },
    onWritten: () => undefined,
    mayWait: () => mayWait,
    leaseMs: 60_000,
    log: { warn: () => undefined } as never,
  });
  return { written, ...batches };
};
const result = { row: {} } as AttemptResult;

test('results that are held for company are written at once when someone waits for them', async () => {
  const { add, writeNow, drain, written } = open(true);
  add(result);
  add(result);
  expect(written).toEqual([]);
  writeNow();
  expect(written).toEqual([2]);
  writeNow();
  await drain();
  expect(written).toEqual([2]);
});

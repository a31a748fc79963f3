import { expect, test } from 'vitest';
import { openWriteBehind } from './write-behind.ts';

const open = (maxWaiting: number, write: (batch: readonly number[]) => Promise<unknown>) => {
  const lost: number[] = [];
  return { lost, ...openWriteBehind({ write, maxWaiting, onLost: (items) => lost.push(items) }) };
};

test('what was added is written together, in its order', async () => {
  const written: (readonly number[])[] = [];
  const { add, drain, lost } = open(10, async (batch) => written.push(batch));
  for (const item of [1, 2, 3]) add(item);
  expect(written).toEqual([]);
  await drain();
  expect([written, lost]).toEqual([[[1, 2, 3]], []]);
});

test('of more than may wait the oldest are lost, and counted', async () => {
  const written: (readonly number[])[] = [];
  const { add, drain, lost } = open(2, async (batch) => written.push(batch));
  for (const item of [1, 2, 3, 4]) add(item);
  await drain();
  expect([written, lost]).toEqual([[[3, 4]], [1, 1]]);
});

test('a batch that fails is lost, and the next one is written', async () => {
  const written: (readonly number[])[] = [];
  const { add, drain, lost } = open(10, async (batch) => {
    if (batch.includes(1)) throw new Error('the database is away');
    written.push(batch);
  });
  add(1);
  await drain();
  add(2);
  await drain();
  expect([written, lost]).toEqual([[[2]], [1]]);
});

test('an item that cannot be written costs no other', async () => {
  const written: number[] = [];
  const { add, drain, lost } = open(20, async (batch) => {
    if (batch.includes(5)) throw new Error('out of range');
    written.push(...batch);
  });
  for (let item = 1; item <= 9; item += 1) add(item);
  await drain();
  expect([written, lost]).toEqual([[1, 2, 3, 4, 6, 7, 8, 9], [1]]);
});

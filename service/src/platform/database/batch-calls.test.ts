import { describe, expect, it } from 'vitest';
import { batchCalls } from './batch-calls.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';

type Settings = {
  readonly keysOf?: (item: string) => readonly string[];
  readonly maxBatchSize?: number;
  readonly maxConcurrent?: number;
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
};

const startBatching = (settings: Settings = {}) => {
  const runs: { readonly items: readonly string[]; readonly end: (error?: Error) => void }[] = [];
  const call = batchCalls<string, string>({
    run: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(items.map((item) => `${item} done`));
        runs.push({ items, end });
      }),
    keysOf: settings.keysOf ?? (() => []),
    maxConcurrent: settings.maxConcurrent ?? 1,
    maxBatchSize: settings.maxBatchSize ?? 8,
    maxWaiting: settings.maxWaiting ?? 100,
    maxWaitMs: settings.maxWaitMs ?? 60_000,
  });
  return { runs, call };
};

const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('batchCalls', () => {
  it('runs a single call at once', async () => {
    const { runs, call } = startBatching();
    const alone = call('a');
    await nextRound();
    expect(runs.map(({ items }) => items)).toEqual([['a']]);
    runs[0]?.end();
    expect(await alone).toBe('a done');
  });

  it('batches the calls that arrive while a run is busy', async () => {
    const { runs, call } = startBatching({ maxBatchSize: 2 });
    const first = call('a');
    await nextRound();
    const others = [call('b'), call('c'), call('d')];
    await nextRound();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await first;
    await nextRound();
    runs[1]?.end();
    expect(await others[0]).toBe('b done');
    await nextRound();
    runs[2]?.end();
    expect(await Promise.all(others)).toEqual(['b done', 'c done', 'd done']);
    expect(runs.map(({ items }) => items)).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('rejects a call while too many wait', async () => {
    const { runs, call } = startBatching({ maxWaiting: 1 });
    const first = call('a');
    await nextRound();
    const second = call('b');
    await expect(call('c')).rejects.toThrow('too many calls wait');
    runs[0]?.end();
    await first;
    await nextRound();
    runs[1]?.end();
    expect(await second).toBe('b done');
  });

  it('rejects a call that waited too long instead of running it', async () => {
    const { runs, call } = startBatching({ maxWaitMs: -1 });
    await expect(call('a')).rejects.toThrow('a call waited too long');
    expect(runs).toEqual([]);
  });

  it('never batches calls with a key in common and keeps their order', async () => {
    const { runs, call } = startBatching({ keysOf: (item) => [item.slice(0, 1)] });
    const all = [call('a1'), call('a2'), call('b1'), call('a3')];
    for (let run = 0; run < 3; run += 1) {
      await nextRound();
      runs[run]?.end();
      await nextRound();
    }
    await Promise.all(all);
    expect(runs.map(({ items }) => items)).toEqual([['a1', 'b1'], ['a2'], ['a3']]);
  });

  it('runs each item of a failed batch alone, one after the other', async () => {
    const { runs, call } = startBatching();
    const [good, bad] = [call('good'), call('bad')];
    const refused = expect(bad).rejects.toThrow('bad item');
    await nextRound();
    runs[0]?.end(new Error('bad item'));
    await nextRound();
    const later = [call('later'), call('last')];
    await nextRound();
    expect(runs.map(({ items }) => items)).toEqual([['good', 'bad'], ['good']]);
    runs[1]?.end();
    expect(await good).toBe('good done');
    await nextRound();
    runs[2]?.end(new Error('bad item'));
    await refused;
    await nextRound();
    runs[3]?.end();
    await Promise.all(later);
    expect(runs.slice(1).map(({ items }) => items)).toEqual([['good'], ['bad'], ['later', 'last']]);
  });

  it('retries nothing when the outcome is unknown', async () => {
    const { runs, call } = startBatching();
    const both = Promise.allSettled([call('a'), call('b')]);
    await nextRound();
    runs[0]?.end(new DatabaseUnavailable(new Error('unknown'), true));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toHaveLength(1);
  });
});

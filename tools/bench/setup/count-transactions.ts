import type { Transaction } from './open-life-setup.ts';

export type Window = { readonly fromMs: number; readonly toMs: number };

export type LifeCounts = {
  /** How often each statement wrote, for one payment. */
  readonly writes: ReadonlyMap<string, number>;
  readonly commits: number;
  readonly shared: number;
  readonly reads: number;
};

/** Work of jobs that run now and then for all payments together. */
const sharedJobs = /_fold$|_prune|_touch$|^bank_message|^payout_|^outgoing_|^health_|^work_lease/;
const result = 'delivery_complete';
// A result is written a little after its webhook has arrived.
const resultWithinMs = 2_500;

/** What one payment costs, on average; what an idle product does anyway is taken off. */
export const countTransactions = (
  transactions: readonly Transaction[],
  lives: readonly Window[],
  idle: Window,
): LifeCounts => {
  const writes = new Map<string, number>();
  let [commits, shared, reads] = [0, 0, 0];
  const share = 1 / lives.length;
  const count = ({ name, writes: isWrite }: Transaction): void => {
    if (!isWrite) reads += share;
    else if (sharedJobs.test(name)) shared += share;
    else {
      commits += share;
      writes.set(name, (writes.get(name) ?? 0) + share);
    }
  };
  for (const life of lives) {
    for (const each of transactions.filter(within(life))) count(each);
    const after = { fromMs: life.toMs, toMs: life.toMs + resultWithinMs };
    const recorded = transactions.filter(within(after)).find(isResult);
    if (recorded) count(recorded);
  }
  const idleReads = transactions.filter((each) => !each.writes && within(idle)(each)).length;
  const lifeMs = lives.reduce((sum, life) => sum + durationOf(life), 0);
  reads -= (idleReads / durationOf(idle)) * lifeMs * share;
  return { writes, commits, shared, reads };
};

const within =
  ({ fromMs, toMs }: Window) =>
  ({ atMs }: Transaction): boolean =>
    atMs >= fromMs && atMs <= toMs;

const isResult = ({ name, writes }: Transaction): boolean => writes && name.startsWith(result);

const durationOf = ({ fromMs, toMs }: Window): number => toMs - fromMs;

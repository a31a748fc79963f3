import type { Recording, Replies } from './read-recordings.ts';

export type Difference = {
  /** As `GET /api/customers 200`. */
  readonly reply: string;
  readonly lost: Replies;
  readonly added: Replies;
};

export type Comparison = {
  readonly equal: number;
  readonly differences: readonly Difference[];
  /** Replies that not every run of one side gave: they depend on timing, and prove nothing. */
  readonly unsteady: number;
};

/** A reply is lost when every run before gave it and no run after; added is the reverse. */
export const compareRecordings = (
  before: readonly Recording[],
  after: readonly Recording[],
): Comparison => {
  const keys = [...new Set([...before, ...after].flatMap((run) => [...run.keys()]))].sort();
  const compared = keys.map((reply) => {
    const earlier = before.map((run) => run.get(reply) ?? new Map());
    const later = after.map((run) => run.get(reply) ?? new Map());
    return { reply, lost: onlyIn(earlier, later), added: onlyIn(later, earlier), earlier, later };
  });
  const differences = compared.filter(({ lost, added }) => lost.size + added.size > 0);
  const all = compared.map(({ earlier, later }) => seenByAny([...earlier, ...later]));
  const steady = compared.map(({ earlier, later }) => seenByEvery([...earlier, ...later]));
  const total = all.reduce((sum, each) => sum + each.size, 0);
  const equal = steady.reduce((sum, each) => sum + each.size, 0);
  const different = differences.reduce((sum, { lost, added }) => sum + lost.size + added.size, 0);
  return {
    equal,
    unsteady: total - equal - different,
    differences: differences.map(({ reply, lost, added }) => ({ reply, lost, added })),
  };
};

const onlyIn = (these: readonly Replies[], others: readonly Replies[]): Replies => {
  const elsewhere = seenByAny(others);
  return new Map([...seenByEvery(these)].filter(([text]) => !elsewhere.has(text)));
};

const seenByAny = (runs: readonly Replies[]): Replies =>
  new Map(runs.flatMap((replies) => [...replies]));

const seenByEvery = ([first, ...rest]: readonly Replies[]): Replies =>
  new Map([...(first ?? [])].filter(([text]) => rest.every((replies) => replies.has(text))));

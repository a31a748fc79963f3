import type { Recording, Replies } from './read-recordings.ts';
import { splitLines } from './split-lines.ts';

export type Difference = {
  /** As `GET /api/customers 200`. */
  readonly reply: string;
  readonly lost: Replies;
  readonly added: Replies;
};

export type Comparison = {
  readonly equal: number;
  readonly differences: readonly Difference[];
  /** On one side only, though the other side has each of their lines: timing, not code. */
  readonly recombined: number;
  /** On one side only, and not in every run of it: they depend on timing. */
  readonly unsteady: number;
};

/** A reply is lost when every run before gave it and no run after; added is the reverse. */
export const compareRecordings = (
  before: readonly Recording[],
  after: readonly Recording[],
): Comparison => {
  const replies = [...new Set([...before, ...after].flatMap((run) => [...run.keys()]))].sort();
  const compared = replies.map((reply) => {
    const earlier = before.map((run) => run.get(reply) ?? new Map());
    const later = after.map((run) => run.get(reply) ?? new Map());
    return { reply, lost: findMissing(earlier, later), added: findMissing(later, earlier) };
  });
  const sides = compared.flatMap(({ lost, added }) => [lost, added]);
  const sum = (count: (side: Missing) => number) =>
    sides.reduce((total, side) => total + count(side), 0);
  return {
    equal: compared.reduce((total, { lost }) => total + lost.shared, 0),
    differences: compared
      .map(({ reply, lost, added }) => ({ reply, lost: lost.changed, added: added.changed }))
      .filter(({ lost, added }) => lost.size + added.size > 0),
    recombined: sum(({ recombined }) => recombined),
    unsteady: sum(({ unsteady }) => unsteady),
  };
};

type Missing = {
  readonly shared: number;
  readonly changed: Replies;
  readonly recombined: number;
  readonly unsteady: number;
};

/** What these runs gave, by whether the others gave it too. */
const findMissing = (these: readonly Replies[], others: readonly Replies[]): Missing => {
  const all = new Map(these.flatMap((run) => [...run]));
  const elsewhere = new Set(others.flatMap((run) => [...run.keys()]));
  const lines = new Set([...elsewhere].flatMap(splitLines));
  const missing = [...all].filter(([text]) => !elsewhere.has(text));
  const steady = missing.filter(([text]) => these.every((run) => run.has(text)));
  const changed = steady.filter(([text]) => splitLines(text).some((line) => !lines.has(line)));
  return {
    shared: all.size - missing.length,
    changed: new Map(changed),
    recombined: steady.length - changed.length,
    unsteady: missing.length - steady.length,
  };
};

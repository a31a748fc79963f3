import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normaliseReply, type RecordedReply } from './normalise-reply.ts';

type Difference = {
  /** As `GET /api/customers 200`. */
  readonly reply: string;
  readonly lost: Replies;
  readonly added: Replies;
};

type Comparison = {
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

const shownReplies = 5;
const shownLines = 12;

/** Each reply beside the most similar one of the other side. */
export const describeDifference = ({ reply, lost, added }: Difference): string =>
  [
    `\n${reply}: ${lost.size} lost, ${added.size} added`,
    ...describe('lost', lost, added),
    ...describe('added', added, lost),
  ].join('\n');

const describe = (title: string, replies: Replies, others: Replies): readonly string[] => {
  const shown = [...replies].slice(0, shownReplies).flatMap(([text, { file, test }]) => {
    const lines = linesUnlike(text, nearest(text, [...others.keys()]));
    return [`  ${title} in ${file} › ${test}`, ...lines.map((line) => `      ${line}`)];
  });
  const rest = replies.size - shownReplies;
  return rest > 0 ? [...shown, `  … and ${rest} more ${title}`] : shown;
};

const nearest = (text: string, others: readonly string[]): string | undefined => {
  const lines = splitLines(text);
  const counted = others.map((other) => {
    const theirs = new Set(splitLines(other));
    return { other, shared: lines.filter((line) => theirs.has(line)).length };
  });
  return counted.sort((a, b) => b.shared - a.shared)[0]?.other;
};

const linesUnlike = (text: string, other: string | undefined): readonly string[] => {
  const theirs = new Set(other === undefined ? [] : splitLines(other));
  const own = splitLines(text).filter((line) => line !== '' && !theirs.has(line));
  const shown = own.slice(0, shownLines).map((line) => line.slice(0, 200));
  return own.length > shownLines ? [...shown, `… ${own.length - shownLines} more lines`] : shown;
};

/** Normalised replies with one of the tests that saw each. */
type Replies = ReadonlyMap<string, RecordedReply['seenIn']>;

/** By operation and status, as `GET /api/customers 200`. */
export type Recording = ReadonlyMap<string, Replies>;

/** Every run in the folder, each in its own folder. */
export const readRecordings = (folder: string): readonly Recording[] => {
  const runs = readdirSync(folder).sort();
  if (runs.length === 0) throw new Error(`${folder} holds no recorded run`);
  return runs.map((run) => readRun(join(folder, run)));
};

const readRun = (folder: string): Recording => {
  const recording = new Map<string, Map<string, RecordedReply['seenIn']>>();
  for (const file of readdirSync(folder)) {
    const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
    for (const line of lines) {
      const reply = JSON.parse(line) as RecordedReply;
      const key = `${reply.operation} ${reply.status}`;
      const replies = recording.get(key) ?? new Map();
      replies.set(normaliseReply(reply), reply.seenIn);
      recording.set(key, replies);
    }
  }
  return recording;
};

/** A page has long lines: each element is one. */
const splitLines = (reply: string): readonly string[] => reply.split(/\n|(?<=>)(?=<)/);

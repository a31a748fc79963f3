import type { Difference } from './compare-recordings.ts';
import type { Replies } from './read-recordings.ts';
import { splitLines } from './split-lines.ts';

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

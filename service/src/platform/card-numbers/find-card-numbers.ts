import { couldBeIssued } from './could-be-issued.ts';
import { type DigitSequence, digitSequences, type Group, isDigit } from './digit-sequences.ts';
import { standsInId } from './stands-in-id.ts';
import { testCardNumberAt } from './test-card-numbers.ts';

/** A card number in a text, separators and all. */
export type FoundCardNumber = {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
};

const digitsLeast = 13;
const maxDigits = 19;

/** Test numbers however they are spaced; other numbers in the groups in which cards are written. */
export const findCardNumbers = (text: string): readonly FoundCardNumber[] =>
  hasFewDigits(text)
    ? []
    : digitSequences(text, digitsLeast).flatMap((sequence) => {
        const known = testNumbersIn(sequence);
        return known.length === 0
          ? numbersIn(text, sequence)
          : inOrder([...known, ...numbersIn(text, sequence)]);
      });

/** Of most texts this is all that is looked at. */
const hasFewDigits = (text: string): boolean => {
  let digits = 0;
  for (let at = 0; at < text.length && digits < digitsLeast; at += 1)
    if (isDigit(text.charCodeAt(at))) digits += 1;
  return digits < digitsLeast;
};

/** By place; of two that overlap the first. */
const inOrder = (numbers: readonly FoundCardNumber[]): readonly FoundCardNumber[] => {
  let end = 0;
  return [...numbers]
    .sort((one, other) => one.start - other.start)
    .filter((each) => {
      const isFree = each.start >= end;
      if (isFree) end = each.end;
      return isFree;
    });
};

const testNumbersIn = ({ digits, groups }: DigitSequence): readonly FoundCardNumber[] => {
  const found: FoundCardNumber[] = [];
  const offsetOf = offsetsIn(groups);
  let at = 0;
  while (at + digitsLeast <= digits.length) {
    const length = testCardNumberAt(digits, at);
    if (length > 0) {
      const number = digits.slice(at, at + length);
      found.push({ start: offsetOf(at), end: offsetOf(at + length - 1) + 1, digits: number });
    }
    at += Math.max(1, length);
  }
  return found;
};

/** The position in the text of each digit; to be read in rising order. */
const offsetsIn = (groups: readonly Group[]) => {
  let group = 0;
  let before = 0;
  return (digit: number): number => {
    for (;;) {
      const { start, end } = groups[group] as Group;
      if (digit - before < end - start) return start + digit - before;
      before += end - start;
      group += 1;
    }
  };
};

const numbersIn = (text: string, sequence: DigitSequence): readonly FoundCardNumber[] => {
  const { groups, doubtfulGroups, wordEdge } = sequence;
  const found: FoundCardNumber[] = [];
  let at: number = doubtfulGroups;
  while (at < groups.length) {
    const number = numberFrom(text, groups, at);
    if (number && !standsInId(text, number.start, number.end, wordEdge)) {
      found.push(number);
      while (groups[at] && (groups[at] as Group).start < number.end) at += 1;
    } else at += 1;
  }
  return found;
};

// As cards are printed and read out, by the lengths of their groups; the longest first.
const groupings: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4],
  [4, 4, 4, 3],
  [4, 4, 4, 2],
  [4, 4, 4, 1],
  [4, 6, 5],
  [4, 6, 4],
  [8, 8],
  [6, 13],
  [6, 10],
];
const firstSizes = new Set(groupings.map(([first]) => first));

const numberFrom = (
  text: string,
  groups: readonly Group[],
  from: number,
): FoundCardNumber | undefined => {
  const size = sizeAt(groups, from);
  if (size >= digitsLeast && size <= maxDigits) return joined(text, groups, from, 1);
  if (!firstSizes.has(size)) return undefined;
  for (const sizes of groupings) {
    const fits = sizes.every((each, index) => each === sizeAt(groups, from + index));
    const number = fits ? joined(text, groups, from, sizes.length) : undefined;
    if (number) return number;
  }
  return undefined;
};

const sizeAt = (groups: readonly Group[], at: number): number => {
  const group = groups[at];
  return group ? group.end - group.start : 0;
};

const joined = (
  text: string,
  groups: readonly Group[],
  from: number,
  count: number,
): FoundCardNumber | undefined => {
  const used = groups.slice(from, from + count);
  const digits = used.map(({ start, end }) => text.slice(start, end)).join('');
  if (!couldBeIssued(digits)) return undefined;
  return { start: used[0]?.start ?? 0, end: used.at(-1)?.end ?? 0, digits };
};

import { type DigitSequence, digitSequences, type Group, isDigit } from './digit-sequences.ts';
import { testCardNumberAt } from './test-card-numbers.ts';

type Scheme = { readonly begins: RegExp; readonly lengths: readonly number[] };

// Lengths that are issued, not those that a scheme once reserved: fifteen digits with a good check
// digit are a telephone's IMEI far more often, and nineteen a SIM's.
const schemes: readonly Scheme[] = [
  { begins: /^4/, lengths: [13, 16, 19] },
  { begins: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { begins: /^3[47]/, lengths: [15] },
  { begins: /^3(?:0[0-59]|[689])/, lengths: [14, 16] },
  { begins: /^35(?:2[89]|[3-8])/, lengths: [16, 19] },
  { begins: /^(?:5[06-8]|6)/, lengths: [16, 17, 18, 19] },
  { begins: /^(?:220[0-4]|81|9792)/, lengths: [16, 17, 18, 19] },
];

/** A number that a scheme could have issued: its beginning, its length and its check digit agree. */
const couldBeIssued = (digits: string): boolean =>
  schemes.some((each) => each.lengths.includes(digits.length) && each.begins.test(digits)) &&
  hasCheckDigit(digits);

const codeOfZero = 48;

/** Luhn: every second digit from the right counts twice. */
const hasCheckDigit = (digits: string): boolean => {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - fromRight) - codeOfZero;
    const counted = fromRight % 2 === 1 ? digit * 2 : digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
};

const maxWord = 32;
const maxAround = 42;

const isLetter = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** A UUID, an IBAN or a word that mixes letters and digits: its digits are no card number. */
const standsInId = (text: string, start: number, end: number, wordEdge: number): boolean =>
  followsMixedWord(text, start, wordEdge) ||
  leadsMixedWord(text, end) ||
  standsIn(uuid, text, start, end, isWhole) ||
  standsIn(ibanLike, text, start, end, isIban);

// "card4111…" is a card, "a1b4111…" is not: the word has digits of its own.
const followsMixedWord = (text: string, start: number, wordEdge: number): boolean => {
  let at = start;
  while (at > wordEdge && start - at < maxWord && isLetter(text.charCodeAt(at - 1))) at -= 1;
  return at < start && at > wordEdge && isDigit(text.charCodeAt(at - 1));
};

const leadsMixedWord = (text: string, end: number): boolean => {
  let at = end;
  while (at - end < maxWord && isLetter(text.charCodeAt(at))) at += 1;
  return at > end && isDigit(text.charCodeAt(at));
};

type Check = (match: string, from: number, to: number) => boolean;

const standsIn = (
  shape: RegExp,
  text: string,
  start: number,
  end: number,
  check: Check,
): boolean => {
  const offset = Math.max(0, start - maxAround);
  for (const match of text.slice(offset, end + maxAround).matchAll(shape)) {
    const from = offset + match.index;
    const isOver = from < end && from + match[0].length > start;
    if (isOver && check(match[0], start - from, end - from)) return true;
  }
  return false;
};

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const isWhole: Check = () => true;

const ibanLike = /[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}/g;

/** Two letters, two check digits that are right, and the digits in question after them. */
const isIban: Check = (match, from, to) => {
  if (from < 2) return false;
  for (let end = to; end <= match.length; end += 1)
    if (hasIbanCheck(match.slice(0, end).replaceAll(' ', ''))) return true;
  return false;
};

const hasIbanCheck = (iban: string): boolean => {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return iban.length >= 15 && rest === 1;
};

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

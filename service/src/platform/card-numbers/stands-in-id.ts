import { isDigit } from './digit-sequences.ts';

const maxWord = 32;
const maxAround = 42;

const isLetter = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** A UUID, an IBAN or a word that mixes letters and digits: its digits are no card number. */
export const standsInId = (text: string, start: number, end: number, wordEdge: number): boolean =>
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

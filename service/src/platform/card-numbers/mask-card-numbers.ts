import { limits } from '@florin/contract';
import type { FieldError } from '#kernel/failure.ts';
import { type FoundCardNumber, findCardNumbers } from './find-card-numbers.ts';

/** The text with at most the last four digits of a card number. It never becomes longer. */
export const maskCardNumbers = (text: string): string => {
  const found = findCardNumbers(text);
  if (found.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const number of found) {
    parts.push(text.slice(at, number.start), maskFor(text, number));
    at = number.end;
  }
  return parts.join('') + text.slice(at);
};

const maskFor = (text: string, { start, end, digits }: FoundCardNumber): string => {
  const mask = `****${digits.slice(-4)}`;
  return isJsonNumber(text, start, end) ? `"${mask}"` : mask;
};

// A number in JSON becomes a text in JSON, so that it stays JSON.
const isJsonNumber = (text: string, start: number, end: number): boolean =>
  /[:[,] ?$/.test(text.slice(Math.max(0, start - 2), start)) &&
  /^ ?[,}\]]/.test(text.slice(end, end + 2)) &&
  /^\d+$/.test(text.slice(start, end));

// Goods have thirteen digits on their barcodes and shops in their orders, and no scheme issues cards of
// thirteen any more: such a number is masked in a log, but no merchant is turned away for it.
const certainLength = 14;

/** A card number that cannot mean anything else. */
export const holdsCardNumber = (text: string): boolean =>
  findCardNumbers(text).some(({ digits }) => digits.length >= certainLength);

type Member = { readonly path: string; readonly name: string; readonly value: unknown };

/** Every text and every member name that holds a card number, at any depth. */
export const fieldsWithCardNumber = (
  sent: unknown,
  except?: string | undefined,
): readonly FieldError[] => findMembers(sent, isRefused, except).map(({ path }) => refused(path));

/** Members of what was sent, at any depth. */
export const findMembers = (
  sent: unknown,
  isMeant: (member: Member) => boolean,
  except?: string | undefined,
): readonly Member[] => {
  const found: Member[] = [];
  // Not by recursion: the input may be nested as deep as it is long.
  const left: Member[] = [{ path: '', name: '', value: sent }];
  for (let member = left.pop(); member; member = left.pop()) {
    if (member.path !== '' && member.path === except) continue;
    if (isMeant(member)) found.push(member);
    left.push(...membersOf(member).reverse());
  }
  return found;
};

const isRefused = ({ name, value }: Member): boolean =>
  holdsCardNumber(name) ||
  ((typeof value === 'string' || typeof value === 'number') && holdsCardNumber(String(value)));

const membersOf = ({ path, value }: Member): Member[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, member]) => ({
        path: path === '' ? name : `${path}.${name}`,
        name,
        value: member,
      }))
    : [];

const refused = (path: string): FieldError => {
  const field = maskCardNumbers(path) || 'body';
  return { field, message: `${field} looks like a card number; never send one here` };
};

declare const cleaned: unique symbol;

/** Text of a bank, a processor or a payer there, fit to be stored, searched and shown. */
export type OutsideText = string & { readonly [cleaned]: true };

/**
 * The only maker of OutsideText: one line without control characters, halves of characters and card
 * numbers, of so many characters. What is left of it; null: nothing.
 */
export const outsideText = (
  text: string | null | undefined,
  maxCharacters: number = limits.bankTextLength,
): OutsideText | null => {
  const line = (text ?? '').slice(0, maxRead).replace(unfit, ' ').trim();
  const shown = [...maskCardNumbers(line)].slice(0, maxCharacters).join('').trim();
  return shown === '' ? null : (shown as OutsideText);
};

/** The name of a payer. */
export const outsideName = (text: string | null | undefined): OutsideText | null =>
  outsideText(text, limits.outsideNameLength);

/** More is never shown: a longer text is not worth reading. */
const maxRead = 20_000;

// PostgreSQL takes neither NUL nor a half; line breaks and what turns the direction of writing would
// change what stands around the text.
const unfit = /\s*[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]+\s*/gu;

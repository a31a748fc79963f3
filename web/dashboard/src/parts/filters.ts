import { parsePounds } from './numbers.ts';

export type Search = Readonly<Record<string, unknown>>;

/** Reads of an address what a page knows; everything else in it is dropped, never an error. */
export const readSearch = {
  text: (search: Search, name: string, maxLength = 100): string | undefined => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined;
  },
  /** A day such as 2026-03-01. */
  day: (search: Search, name: string): string | undefined => {
    const value = search[name];
    return typeof value === 'string' && isDay(value) ? value : undefined;
  },
  /** One of those that have words. */
  choice: <Choice extends string>(
    search: Search,
    name: string,
    words: Readonly<Record<Choice, string>>,
  ): Choice | undefined => choicesOf(words).find((choice) => choice === search[name]),
  /** Several of them, with commas between. */
  choices: <Choice extends string>(
    search: Search,
    name: string,
    words: Readonly<Record<Choice, string>>,
  ): readonly Choice[] | undefined => {
    const named = String(search[name] ?? '').split(',');
    const found = choicesOf(words).filter((choice) => named.includes(choice));
    return found.length > 0 ? found : undefined;
  },
  /** Any words of no list, such as ids, with commas between them. */
  words: (search: Search, name: string): readonly string[] | undefined => {
    const named = String(search[name] ?? '').split(',');
    const found = named.filter((word) => word !== '' && word.length <= wordLengthMax);
    return found.length > 0 ? [...new Set(found)].slice(0, wordsMax) : undefined;
  },
  /** What matches, also where the address holds it as a number. */
  matching: (search: Search, name: string, pattern: RegExp): string | undefined =>
    pattern.test(String(search[name] ?? '')) ? String(search[name]) : undefined,
  /** An amount such as 12.5. */
  pounds: (search: Search, name: string): number | undefined => {
    const pence = parsePounds(String(search[name] ?? ''));
    return pence === null ? undefined : pence / 100;
  },
  /** From 1. */
  page: (search: Search): number | undefined => {
    const page = Number(search.page);
    return Number.isSafeInteger(page) && page > 1 && page <= pagesMax ? page : undefined;
  },
};

/** The table of words is the list of choices: the type checker asks for a word of each. */
export const choicesOf = <Choice extends string>(
  words: Readonly<Record<Choice, string>>,
): readonly Choice[] => Object.keys(words) as Choice[];

/** For values that people know as they are written, such as event types. */
export const asWritten = <Choice extends string>(values: readonly Choice[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<Choice, Choice>;

const pagesMax = 1_000_000;
const wordsMax = 20;
const wordLengthMax = 50;

const isDay = (text: string): boolean => {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 10) === text;
};

import { type Pence, poundsText } from '#kernel/pence.ts';
import type { LeadValues } from './store/search-by-word.ts';
import type { TextValues } from './store/search-candidates.ts';

const maxParts = 8;
// An entry of a btree holds 2,704 bytes: what is longer is found by its first letters.
const maxWordCharacters = 100;
const maxWords = 64;
const accents = /\p{Diacritic}/gu;

/**
 * A word of a transaction, and the number of first letters that it shares with an earlier word of
 * it.
 */
type SearchWord = { readonly word: string; readonly shared: number };

/**
 * The words of each text and their later parts: "INV-0042" is found by a prefix of "inv-0042", "0042"
 * or "42".
 */
export const searchWords = (...texts: readonly string[]): readonly SearchWord[] =>
  withShared([...new Set(texts.flatMap((text) => splitWords(text).flatMap(partsOf)))]);

/** Case, accents and the forms of a letter make no difference. */
const splitWords = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => [...word].slice(0, maxWordCharacters).join(''));

/** Each word after a space, so that a prefix of any word is found by its text. */
export const joinWords = (words: readonly SearchWord[]): string =>
  words.map(({ word }) => ` ${word}`).join('');

const withShared = (words: readonly string[]): readonly SearchWord[] => {
  const earlier: string[] = [];
  return words.slice(0, maxWords).map((word) => {
    const shared = Math.max(0, ...earlier.map((each) => sharedLength(each, word)));
    earlier.push(word);
    return { word, shared };
  });
};

const partStarts =
  /[^\p{L}\p{N}]+(?=[\p{L}\p{N}])|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|(?<!\p{N})0+(?=[1-9])/gu;
const amount = /^\d+\.\d\d$/;

const partsOf = (word: string): readonly string[] => {
  if (amount.test(word)) return [word];
  const starts = [...word.matchAll(partStarts)].map(
    ({ index, 0: separator }) => index + separator.length,
  );
  const later = starts.filter((start) => start > 0 && start < word.length);
  // A random id has as many parts as letters: only its prefix is looked up.
  return later.length > maxParts ? [word] : [word, ...later.map((start) => word.slice(start))];
};

const sharedLength = (one: string, other: string): number => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
};

/**
 * What search stores of a transaction. Texts that come later, such as the payer's name, are last.
 */
export type Searchable = {
  readonly paymentRequestId: string;
  readonly position: number;
  readonly createdAt: Date;
  readonly status: string;
  readonly method: string;
  readonly totalPence: Pence;
  /** Null of a payment by card. */
  readonly institutionId: string | null;
  readonly orderId: string;
  readonly names: readonly string[];
};

/** A row of `:searchable`, or none: most changes of an attempt are invisible to search. */
export const searchableRow = (now: Searchable, before: Searchable | null): readonly object[] => {
  if (before?.status === now.status && before.names.join(' ') === now.names.join(' ')) return [];
  const words = wordsOf(now);
  const known = new Set(before ? wordsOf(before).map(({ word }) => word) : []);
  return [
    {
      payment_request_id: now.paymentRequestId,
      position: now.position,
      created_at: now.createdAt,
      status: now.status,
      before: before?.status ?? null,
      method: now.method,
      total_pence: now.totalPence.toString(),
      institution_id: now.institutionId,
      words: joinWords(words),
      new_words: words.filter(({ word }) => !known.has(word)),
    },
  ];
};

const wordsOf = ({ orderId, totalPence, names }: Searchable) =>
  searchWords(orderId, poundsText(totalPence), ...names);

const highestCharacter = '\u{10ffff}';
const minIdCharacters = 4;
const idShape = '00000000-0000-0000-0000-000000000000';

/** How another list finds what payments are named: by the longest word, and by all in what that finds. */
export const namedBy = (
  search: string,
): Pick<LeadValues, 'word' | 'wordBelow'> & Pick<TextValues, 'patterns'> => {
  const words = readSearchText(search);
  // Accents alone name no word: nothing is above the highest.
  const [word = highestCharacter] = words;
  return { word, wordBelow: word + highestCharacter, patterns: textValues(words).patterns };
};

/** The words of a text, the longest first. */
export const readSearchText = (search: string): readonly string[] =>
  [...new Set(splitWords(search).map(plainAmount))].sort((one, other) => other.length - one.length);

/** A text of one word may also be the prefix of a payment request id. */
export const textValues = (words: readonly string[]): TextValues => ({
  patterns: words.map((word) => `% ${word.replace(/[\\%_]/g, '\\$&')}%`),
  ...idRange(words.length === 1 ? (words[0] ?? '') : ''),
});

export const leadValues = (
  word: string,
  wholeWords: readonly string[] | null,
  secondWord: string | null,
): LeadValues => ({
  word,
  wordBelow: word + highestCharacter,
  wholeWords,
  secondWord,
  secondBelow: secondWord === null ? null : secondWord + highestCharacter,
});

/** "£1,250" is stored as "1250". */
const plainAmount = (word: string): string => {
  const plain = word.replace(/^£(?=\d)/, '');
  return /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain) ? plain.replaceAll(',', '') : plain;
};

const idRange = (word: string): Pick<TextValues, 'idFrom' | 'idTo'> => {
  const isPrefix =
    word.length >= minIdCharacters &&
    word.length <= idShape.length &&
    [...word].every((each, at) => (idShape[at] === '-' ? each === '-' : /[0-9a-f]/.test(each)));
  if (!isPrefix) return { idFrom: null, idTo: null };
  const rest = idShape.slice(word.length);
  return { idFrom: word + rest, idTo: word + rest.replaceAll('0', 'f') };
};

const maxParts = 8;
// An entry of a btree holds 2,704 bytes: what is longer is found by its first letters.
const maxWordCharacters = 100;
const maxWords = 64;
const accents = /\p{Diacritic}/gu;

/**
 * A word of a transaction, and the number of first letters that it shares with an earlier word of
 * it.
 */
export type SearchWord = { readonly word: string; readonly shared: number };

/**
 * The words of each text and their later parts: "INV-0042" is found by a prefix of "inv-0042", "0042"
 * or "42".
 */
export const searchWords = (...texts: readonly string[]): readonly SearchWord[] =>
  withShared([...new Set(texts.flatMap((text) => splitWords(text).flatMap(partsOf)))]);

/** Case, accents and the forms of a letter make no difference. */
export const splitWords = (text: string): readonly string[] =>
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

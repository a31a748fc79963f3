/** A word by which something is found, and how much of its beginning an earlier word has already. */
export type SearchWord = { readonly word: string; readonly shared: number };

const mostParts = 8;
const accents = /\p{Diacritic}/gu;

/** Case, accents and the forms of a letter make no difference. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/**
 * The words of each text, and what remains of them from each later part on: "INV-0042" is found by
 * "inv-0042", "0042" and "42", and by the beginning of any of them.
 */
export const searchWords = (...texts: readonly string[]): readonly SearchWord[] =>
  withShared(new Set(texts.flatMap((text) => wordsOf(text).flatMap(partsOf))));

const withShared = (words: ReadonlySet<string>): readonly SearchWord[] => {
  const known: string[] = [];
  return [...words].map((word) => {
    const shared = Math.max(0, ...known.map((earlier) => sharedLength(earlier, word)));
    known.push(word);
    return { word, shared };
  });
};

const partStarts =
  /[^\p{L}\p{N}]+(?=[\p{L}\p{N}])|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|(?<!\p{N})0+(?=[1-9])/gu;
const amount = /^\d+\.\d\d$/;

const partsOf = (word: string): readonly string[] => {
  if (amount.test(word)) return [word];
  const starts = [...word.matchAll(partStarts)].map(
    ({ index, 0: skipped }) => index + skipped.length,
  );
  const later = starts.filter((start) => start > 0 && start < word.length);
  // A random id has as many parts as it has letters: it is found by its beginning.
  return later.length > mostParts ? [word] : [word, ...later.map((start) => word.slice(start))];
};

const sharedLength = (one: string, other: string): number => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
};

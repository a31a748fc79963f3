/** The searched names of a bank. */
export type SearchableBank = {
  readonly name: string;
  readonly fullName: string;
  readonly aliases?: readonly string[];
};

const accents = /\p{Diacritic}/gu;
const notWord = /[^\p{L}\p{N}]+/gu;
const smallWords = new Set(['of', 'the', 'and', 'plc', 'uk']);

/** The banks that match, the likeliest first; for an empty text all, in their order. */
export const searchBanks = <Bank extends SearchableBank>(
  banks: readonly Bank[],
  text: string,
): readonly Bank[] => {
  const typed = wordsIn(text);
  if (typed.length === 0) return banks;
  return banks
    .map((bank) => ({
      bank,
      score: Math.min(...namesOf(bank).map((name) => nameScore(typed, name))),
    }))
    .filter(({ score }) => score < noMatch)
    .sort((one, other) => one.score - other.score)
    .map(({ bank }) => bank);
};

const wordsIn = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(/['’.]/g, '')
    .replace(/&/g, ' and ')
    .replace(notWord, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '');

const initials = (words: readonly string[]): string => words.map((word) => word[0] ?? '').join('');

type Name = { readonly words: readonly string[]; readonly joined: string };

/** Each name as it is, and by its initials, with and without small words. */
const makeNames = ({ name, fullName, aliases = [] }: SearchableBank): readonly Name[] =>
  [name, fullName, ...aliases].flatMap((each) => {
    const words = wordsIn(each);
    const big = words.filter((word) => !smallWords.has(word));
    const short = words.length < 2 ? [] : [initials(words), initials(big)];
    return [
      { words, joined: words.join('') },
      ...short.map((text) => ({ words: [text], joined: text })),
    ];
  });

/** Whether the letters before these two places are each other's, the wrong way round. */
const isSwap = (one: string, other: string, row: number, column: number): boolean =>
  row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];

const made = new WeakMap<SearchableBank, readonly Name[]>();

/** Kept with the bank: a search runs again with each letter typed. */
const namesOf = (bank: SearchableBank): readonly Name[] => {
  const names = made.get(bank) ?? makeNames(bank);
  made.set(bank, names);
  return names;
};

/** Edits between two words; two swapped neighbours are one. */
const distance = (one: string, other: string): number => {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const change = one[row - 1] === other[column - 1] ? 0 : 1;
      const edits = [last[column], next[column - 1]].map((count = 0) => count + 1);
      if (isSwap(one, other, row, column)) edits.push((before[column - 2] ?? 0) + 1);
      next.push(Math.min(...edits, (last[column - 1] ?? 0) + change));
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
};

const typosAllowed = (word: string): number => {
  if (word.length < 4) return 0;
  return word.length < 8 ? 1 : 2;
};

const noMatch = Number.POSITIVE_INFINITY;

/** 0 is the word itself; a half-typed word with a typo counts as well. */
const wordScore = (typed: string, word: string): number => {
  if (word === typed) return 0;
  if (word.startsWith(typed)) return 1;
  if (typed.length > 2 && word.includes(typed)) return 2;
  const allowed = typosAllowed(typed);
  if (allowed === 0) return noMatch;
  const starts = [word, word.slice(0, typed.length), word.slice(0, typed.length + 1)];
  const near = starts.filter((start) => Math.abs(start.length - typed.length) <= allowed);
  const edits = Math.min(noMatch, ...near.map((start) => distance(typed, start)));
  return edits <= allowed ? 3 + edits : noMatch;
};

const nameScore = (typed: readonly string[], { words, joined }: Name): number => {
  const whole = wordScore(typed.join(''), joined);
  const each = typed.map((one) => Math.min(noMatch, ...words.map((word) => wordScore(one, word))));
  return Math.min(whole, Math.max(...each));
};

import { wordsOf } from '#kernel/search-words.ts';
import type { TextValues } from './store/search-parts.ts';

const highestCharacter = '\u{10ffff}';
const leastIdCharacters = 4;
const idShape = '00000000-0000-0000-0000-000000000000';

/** The words of a text as they are looked for, the longest first. */
export const readSearchText = (search: string): readonly string[] =>
  [...new Set(wordsOf(search).map(plainAmount))].sort((one, other) => other.length - one.length);

/** `word` is what the index is asked for; the others are looked for in what it finds. */
export const textValues = (word: string, otherWords: readonly string[]): TextValues => ({
  wordFrom: word,
  wordBelow: `${word}${highestCharacter}`,
  wordLength: word.length,
  otherWords,
  ...idsBeginning(otherWords.length === 0 ? word : ''),
});

/** "£1,250" is written as "1250" where it is looked for. */
const plainAmount = (word: string): string => {
  const plain = word.replace(/^£(?=\d)/, '');
  return /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain) ? plain.replaceAll(',', '') : plain;
};

const idsBeginning = (word: string): Pick<TextValues, 'idFrom' | 'idTo'> => {
  const isBeginning =
    word.length >= leastIdCharacters &&
    word.length <= idShape.length &&
    [...word].every((each, at) => (idShape[at] === '-' ? each === '-' : /[0-9a-f]/.test(each)));
  if (!isBeginning) return { idFrom: null, idTo: null };
  const rest = idShape.slice(word.length);
  return { idFrom: word + rest, idTo: word + rest.replaceAll('0', 'f') };
};

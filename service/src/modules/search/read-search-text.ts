import { splitWords } from './search-words.ts';
import type { LeadValues } from './store/search-by-word.ts';
import type { TextValues } from './store/search-candidates.ts';

const highestCharacter = '\u{10ffff}';
const minIdCharacters = 4;
const idShape = '00000000-0000-0000-0000-000000000000';

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

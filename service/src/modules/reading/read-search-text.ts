import { wordsOf } from '#kernel/search-words.ts';
import type { TextValues } from './store/search-statements.ts';

const highestCharacter = '\u{10ffff}';
const leastIdCharacters = 4;
const idShape = '00000000-0000-0000-0000-000000000000';

/** What to look for: null for a text without a word. */
export const readSearchText = (search: string): TextValues | null => {
  const words = wordsOf(search).map(plainAmount);
  const [longest, ...otherWords] = words.sort((one, other) => other.length - one.length);
  if (longest === undefined) return null;
  return {
    wordFrom: longest,
    wordBelow: `${longest}${highestCharacter}`,
    wordLength: longest.length,
    otherWords,
    ...idsBeginning(otherWords.length === 0 ? longest : ''),
  };
};

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

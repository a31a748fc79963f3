/** Digits in groups, with no more between two groups than people and encodings put there. */
export type DigitSequence = {
  readonly digits: string;
  /** Start and end of each group in the text. */
  readonly groups: readonly Group[];
  /** How many groups belong to an escape, unless it is none: the 42 of "%424…". */
  readonly doubtfulGroups: 0 | 1;
  /** The end of an escape (\n, %3D) before it: letters before that are no part of its word. */
  readonly wordEdge: number;
};

export type Group = { readonly start: number; readonly end: number };

const maxSeparators = 3;
const characters = new Set(
  ' \t-./_+\u00a0\u00ad\u00b7\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u202f\u205f\u2060\u3000\ufeff',
);
for (let code = 0x2000; code <= 0x200d; code += 1) characters.add(String.fromCharCode(code));

// Every repetition is bounded, so that no text makes them slow.
const percent = '%(?:25){0,3}';
const escapedSeparator = new RegExp(
  [
    `${percent}(?:09|20|2[abdef]|5f|c2${percent}(?:a0|ad|b7)|e2${percent}80${percent}[89a][0-9a-f])`,
    String.raw`\\{1,4}(?:t|\/|u00a0|u00ad|u00b7|u20[0-6][0-9a-f]|u2212|u3000|ufeff)`,
    '&(?:nbsp|#160|#32|#xa0|#x20);',
  ].join('|'),
  'iy',
);
const escapedCharacter = new RegExp(
  [
    `${percent}(?:[0-7][0-9a-f]|[c-f][0-9a-f](?:${percent}[89ab][0-9a-f]){1,3})`,
    String.raw`\\{1,4}(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[bfnrtv])`,
  ].join('|'),
  'iy',
);

/** All sequences of at least so many digits, read once. */
export const digitSequences = (text: string, digitsLeast: number): readonly DigitSequence[] => {
  const found: DigitSequence[] = [];
  let wordEdge = 0;
  let at = 0;
  while (at < text.length) {
    const end = escapeEnd(text, at);
    if (end > at) wordEdge = end;
    if (isDigit(text.charCodeAt(end))) {
      const sequence = readSequence(text, at, end, wordEdge);
      if (sequence.digits.length >= digitsLeast) found.push(sequence);
      at = sequence.groups.at(-1)?.end ?? end;
    } else at = Math.max(end, at + 1);
  }
  return found;
};

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const percentSign = 37;
const ampersand = 38;
const backslash = 92;

/** The end of the escape that starts here; here, if none starts. */
const escapeEnd = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code === percentSign || code === backslash ? endOf(escapedCharacter, text, at) : at;
};

const readSequence = (
  text: string,
  from: number,
  start: number,
  wordEdge: number,
): DigitSequence => {
  let doubtful = start;
  while (doubtful > from && isDigit(text.charCodeAt(doubtful - 1))) doubtful -= 1;
  const certain = readGroups(text, start);
  const groups = doubtful < start ? [{ start: doubtful, end: start }, ...certain] : certain;
  const digits = groups.map((group) => text.slice(group.start, group.end)).join('');
  return { digits, groups, doubtfulGroups: doubtful < start ? 1 : 0, wordEdge };
};

const readGroups = (text: string, from: number): readonly Group[] => {
  const groups: Group[] = [];
  let start = from;
  for (;;) {
    let end = start + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    groups.push({ start, end });
    const next = afterSeparators(text, end);
    if (next === end || !isDigit(text.charCodeAt(next))) return groups;
    start = next;
  }
};

const afterSeparators = (text: string, from: number): number => {
  let at = from;
  for (let count = 0; count < maxSeparators; count += 1) {
    const end = separatorEnd(text, at);
    if (end === at) return at;
    at = end;
  }
  return at;
};

const separatorEnd = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  if (code === percentSign || code === backslash || code === ampersand)
    return endOf(escapedSeparator, text, at);
  return at < text.length && characters.has(text[at] ?? '') ? at + 1 : at;
};

const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

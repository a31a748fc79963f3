/** Where a text stops being JSON, counted from 1, and what is wrong there. */
export type JsonError = {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
};

type State = 'value' | 'firstItem' | 'firstName' | 'name' | 'colon' | 'after';
type Scan = { readonly open: string[]; at: number; state: State };

const blank = /[ \t\r\n]*/y;
const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * The first place at which the text cannot be JSON; null: it is JSON. The text is not repeated, since
 * it may hold a secret.
 */
export const findJsonError = (text: string): JsonError | null => {
  const scan: Scan = { open: [], at: 0, state: 'value' };
  for (;;) {
    skip(text, scan, blank);
    const isDone = scan.state === 'after' && scan.open.length === 0;
    if (scan.at === text.length) return isDone ? null : errorAt(text, scan, 'it ends too early');
    const reason = isDone ? 'nothing may follow here' : take(text, scan);
    if (reason) return errorAt(text, scan, reason);
  }
};

/** Takes the next part; or what is wrong with it. */
const take = (text: string, scan: Scan): string | null => {
  const { state } = scan;
  const letter = text[scan.at] ?? '';
  if (state === 'colon') return letter === ':' ? moveOn(scan, 'value') : 'a colon is missing';
  if (state === 'after') return takeAfter(scan, letter);
  if (state === 'firstItem' && letter === ']') return close(scan);
  if (state === 'firstName' && letter === '}') return close(scan);
  if (state === 'name' || state === 'firstName') return takeName(text, scan, letter);
  return takeValue(text, scan, letter);
};

const takeName = (text: string, scan: Scan, letter: string): string | null => {
  if (skip(text, scan, string)) return setState(scan, 'colon');
  if (letter === '"') return unfinishedText;
  return letter === '}' ? 'a comma stands before it' : 'a name in double quotes is missing';
};

const takeValue = (text: string, scan: Scan, letter: string): string | null => {
  if (letter === '{' || letter === '[') {
    scan.open.push(letter);
    return moveOn(scan, letter === '{' ? 'firstName' : 'firstItem');
  }
  if (skip(text, scan, string) || skip(text, scan, scalar)) return setState(scan, 'after');
  if (letter === '"') return unfinishedText;
  return letter === ']' ? 'a comma stands before it' : 'a value is missing, or not written as JSON';
};

const takeAfter = (scan: Scan, letter: string): string | null => {
  const isObject = scan.open.at(-1) === '{';
  if (letter === ',') return moveOn(scan, isObject ? 'name' : 'value');
  if (letter === (isObject ? '}' : ']')) return close(scan);
  return `a comma or ${isObject ? '}' : ']'} is missing`;
};

const unfinishedText = 'a text has no end, or a character that must be escaped';

const moveOn = (scan: Scan, state: State): null => {
  scan.at += 1;
  return setState(scan, state);
};

const setState = (scan: Scan, state: State): null => {
  scan.state = state;
  return null;
};

const close = (scan: Scan): null => {
  scan.open.pop();
  return moveOn(scan, 'after');
};

const skip = (text: string, scan: Scan, pattern: RegExp): boolean => {
  pattern.lastIndex = scan.at;
  if (!pattern.test(text)) return false;
  scan.at = pattern.lastIndex;
  return true;
};

const errorAt = (text: string, { at }: Scan, reason: string): JsonError => {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, reason };
};

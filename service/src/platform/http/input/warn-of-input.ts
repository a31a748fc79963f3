import { limits, type Operation, type Unusual } from '@florin/contract';
import { maskCardNumbers } from '../../card-numbers/mask-card-numbers.ts';
import type { SchemaPart } from '../compile-validator.ts';

/** The known name that was probably meant; null: none is near enough. */
export const suggestName = (sent: string, known: readonly string[]): string | null => {
  const wanted = plain(sent);
  let best: { readonly name: string; readonly edits: number } | null = null;
  for (const name of known) {
    const edits = editDistance(wanted, plain(name));
    if (edits < (best?.edits ?? maxEdits(wanted) + 1)) best = { name, edits };
  }
  return best?.name ?? null;
};

const plain = (name: string): string => name.replace(/[_\-\s]/g, '').toLowerCase();

const maxEdits = (name: string): number => Math.max(1, Math.floor(name.length / 4));

/** Letters to insert, remove, replace or swap with the next one. */
const editDistance = (one: string, other: string): number => {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = nextRow(one.slice(Math.max(0, at - 2), at), other, { before, row, at });
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
};

type Rows = {
  readonly before: readonly number[];
  readonly row: readonly number[];
  readonly at: number;
};

const nextRow = (lastLetters: string, other: string, { before, row, at }: Rows): number[] => {
  const next = [at];
  for (let to = 1; to <= other.length; to += 1) {
    const isSame = lastLetters.at(-1) === other[to - 1];
    const isSwapped = [...lastLetters].reverse().join('') === other.slice(Math.max(0, to - 2), to);
    next[to] = Math.min(
      (row[to] ?? 0) + 1,
      (next[to - 1] ?? 0) + 1,
      (row[to - 1] ?? 0) + (isSame ? 0 : 1),
      isSwapped && to > 1 ? (before[to - 2] ?? 0) + 1 : at + to,
    );
  }
  return next;
};

type Sent = { readonly query: unknown; readonly body: unknown };
type Found = { readonly texts: string[]; more: number };

/**
 * What a sandbox caller probably did not mean (WIRE-21): members that the contract does not know, and
 * values that it calls unusual. Sentences are visible ASCII, for a header.
 */
export const warnOfInput = (operation: Operation, sent: Sent): readonly string[] => {
  const found: Found = { texts: [], more: 0 };
  for (const [schema, value] of [
    [operation.query, sent.query],
    [operation.body, sent.body],
  ] as const)
    if (schema) visit(found, schema as SchemaPart, '', value);
  return found.more === 0 ? found.texts : [...found.texts, `${found.more} more like these.`];
};

const visit = (found: Found, part: SchemaPart, path: string, value: unknown): void => {
  const unusual = part.unusual ? unusualWords(part.unusual, value) : null;
  if (unusual) add(found, () => `${path} ${unusual}.`);
  if (Array.isArray(value))
    for (const item of part.items ? value.slice(0, limits.warnedItems) : [])
      visit(found, part.items ?? {}, `${path}[]`, item);
  else if (typeof value === 'object' && value !== null && part.properties)
    visitMembers(found, part, path, value as Readonly<Record<string, unknown>>);
};

const visitMembers = (
  found: Found,
  { properties = {}, patternProperties, additionalProperties }: SchemaPart,
  path: string,
  members: Readonly<Record<string, unknown>>,
): void => {
  const known = Object.keys(properties);
  const begin = path === '' ? '' : `${path}.`;
  for (const name of Object.keys(members)) {
    const part = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (part) visit(found, part, `${begin}${name}`, members[name]);
    else if (!patternProperties && !additionalProperties)
      add(found, () => unknownWords(begin, name, known));
  }
};

/** A sentence costs something only while it will be sent. */
const add = (found: Found, sentence: () => string): void => {
  if (found.texts.length < limits.warnings) found.texts.push(sentence());
  else found.more += 1;
};

// What a program would call a member; anything else is not repeated.
const plainName = new RegExp(`^[A-Za-z_][\\w.-]{0,${limits.warnedNameLength - 1}}$`);

const unknownWords = (begin: string, name: string, known: readonly string[]): string => {
  if (!plainName.test(name) || maskCardNumbers(name) !== name)
    return `A member of ${begin === '' ? 'the request' : begin.slice(0, -1)} is not known.`;
  const meant = suggestName(name, known);
  const suggestion = meant ? `; did you mean ${begin}${meant}?` : ' and is ignored.';
  return `${begin}${name} is not known${suggestion}`;
};

const unusualWords = ({ below, wholeFrom, words }: Unusual, value: unknown): string | null => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return null;
  const isUnusual =
    (below !== undefined && number < below) ||
    (wholeFrom !== undefined && number >= wholeFrom && Number.isInteger(number));
  return isUnusual ? words(number) : null;
};

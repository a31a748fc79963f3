import { parse as parseForm, unescape as unescapeForm } from 'node:querystring';
import { failures } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { findMembers, maskCardNumbers } from '../../card-numbers/mask-card-numbers.ts';
import { badField } from '../error-reply.ts';
import { keepPasswords } from './keep-passwords.ts';
import { sentBodies } from './sent-body.ts';

/** Where a text stops being JSON, counted from 1, and what is wrong there. */
type JsonError = {
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

const stringToken = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;
const anyToken = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/**
 * The name of a member that valid JSON has twice in one object; null: there is none. Which of the two
 * counts differs between readers. Most bodies are told by a count alone.
 */
const findRepeatedMember = (text: string, parsed: unknown): string | null =>
  countNames(text) === countMembers(parsed) ? null : findFirst(text);

const countNames = (text: string): number => {
  let count = 0;
  for (const [, colon] of text.matchAll(stringToken)) if (colon !== undefined) count += 1;
  return count;
};

/** Not by recursion: a body may be nested as deep as it is long. */
const countMembers = (parsed: unknown): number => {
  let count = 0;
  const left: unknown[] = [parsed];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    if (!Array.isArray(value)) count += members.length;
    for (const member of members) if (typeof member === 'object') left.push(member);
  }
  return count;
};

/** The counts also differ where the parser has left a member out, such as `__proto__`. */
const findFirst = (text: string): string | null => {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(anyToken)) {
    if (token === ':') {
      const name = String(JSON.parse(last));
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    } else if (token.startsWith('"')) last = token;
    else enter(open, token);
  }
  return null;
};

const enter = (open: Set<string>[], token: string): void => {
  if (token === '{' || token === '[') open.push(new Set());
  else open.pop();
};

/** The failure of a request's head, before its body is read (WIRE-6); null: none. */
export const refuseUnreadable = ({ url, method, headers, raw }: FastifyRequest): Failure | null => {
  if (url.includes('%00')) return nulRefused();
  if (!isUtf8Address(url))
    return new Failure(failures.badRequest, { message: 'The address is not valid UTF-8.' });
  for (const name of ['Host', 'Authorization'])
    if (countOf(raw.rawHeaders, name) > 1)
      return new Failure(failures.badRequest, { message: `Send one ${name} header only.` });
  const encoding = headers['content-encoding'] ?? 'identity';
  if (method !== 'GET' && method !== 'HEAD' && encoding.toLowerCase() !== 'identity')
    return new Failure(failures.unsupportedMediaType, {
      message: 'Send the body without compression.',
    });
  return null;
};

/** PostgreSQL stores no text with this character. */
const nulRefused = (): Failure =>
  new Failure(failures.badRequest, { message: 'Text must not hold the character U+0000.' });

const escapedBytes = /(?:%[0-9a-f]{2})+/gi;

/** A percent sign that starts no byte stays as it is. */
const isUtf8Address = (text: string): boolean => {
  if (/[^\x21-\x7e]/.test(text)) return false;
  try {
    for (const [bytes] of text.matchAll(escapedBytes)) decodeURIComponent(bytes);
    return true;
  } catch {
    return false;
  }
};

const countOf = (rawHeaders: readonly string[], name: string): number =>
  rawHeaders.filter((text, at) => at % 2 === 0 && isHeader(text, name)).length;

const isHeader = (text: string, name: string): boolean =>
  text.length === name.length && text.toLowerCase() === name.toLowerCase();

/** JSON in UTF-8 and nothing else; what PostgreSQL cannot store is refused (WIRE-6). */
export const parseBodies = (app: FastifyInstance): void => {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    sentBodies.set(request, bytes as Buffer);
    const sent = decoded(request, bytes as Buffer);
    if (sent instanceof Failure) return done(sent);
    if (sent === '') return done(null, undefined);
    const text = withoutEscaped(sent);
    void parseJson(request, text, (error, body) => {
      if (error || !keepPasswords(body, sent, text)) return done(notJson(sent));
      const repeated = findRepeatedMember(text, body);
      if (repeated !== null) return done(repeatedRefused(repeated));
      done(mayBeUnfit.test(text) ? unfitRefused(body) : null, body);
    });
  });
};

const notJson = (text: string): Failure => {
  const found = findJsonError(text);
  const where = found && `: line ${found.line}, column ${found.column}: ${found.reason}`;
  return new Failure(failures.badRequest, {
    message: `The body is not valid JSON${where ?? ''}.`,
  });
};

/** A name that no program would use is not repeated. */
const repeatedRefused = (name: string): Failure => {
  const isPlain = /^[\w.-]{1,60}$/.test(name) && maskCardNumbers(name) === name;
  const field = isPlain ? name : 'body';
  const message = isPlain ? `${name} stands twice in one object` : 'a member stands twice';
  return badField(field, message, `${message}.`);
};

/** The fields of a form of the hosted page. */
export const parseForms = (app: FastifyInstance): void => {
  const type = 'application/x-www-form-urlencoded';
  app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, bytes, done) => {
    sentBodies.set(request, bytes as Buffer);
    const text = decoded(request, bytes as Buffer);
    if (text instanceof Failure) return done(text);
    if (!isUtf8Address(text.replaceAll(' ', '+'))) return done(notUtf8());
    if (text.includes('%00')) return done(nulRefused());
    done(null, parseForm(text, '&', '=', { decodeURIComponent: decodePart }));
  });
};

const decodePart = (part: string): string => withoutControls(unescapeForm(part));

/**
 * Text without control characters but NUL, tab and the ends of a line, and without what turns the
 * direction of writing: nobody sees them, and what stands around them would not be what it seems.
 */
export const withoutControls = (text: string): string => text.replace(controls, '');

const controls = /(?![\0\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The same of JSON, also where it escapes them. Any other escape is kept, so that two stay apart, and so is
 * what follows a broken one: without it that would become whole.
 */
const withoutEscaped = (json: string): string =>
  json.replace(escapedControls, (_, kept: string | undefined) => kept ?? '');

const escapedControls = new RegExp(
  String.raw`\\(?:[bf]|u(?:00(?:0[1-8bcefBCEF]|1[\da-fA-F]|7[fF]|[89][\da-fA-F])|` +
    String.raw`20(?:2[a-eA-E]|6[6-9])))|(\\u[\da-fA-F]{0,3}(?![\da-fA-F])[^]?|\\[^])|${controls.source}`,
  'gu',
);

// US-ASCII is UTF-8 too.
const charsets = new Set(['utf-8', 'utf8', 'us-ascii']);
const charsetPattern = /;\s*charset\s*=\s*"?([^";\s]*)/i;

const decoded = ({ headers }: FastifyRequest, bytes: Buffer): string | Failure => {
  const charset = charsetPattern.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && !charsets.has(charset))
    return new Failure(failures.unsupportedMediaType, { message: 'Send the body in UTF-8.' });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return notUtf8();
  }
};

const notUtf8 = (): Failure =>
  new Failure(failures.badRequest, { message: 'The body is not valid UTF-8.' });

/** Raw, a control is no JSON and half a character no UTF-8: only an escape brings them. */
const mayBeUnfit = /\\u(?:0000|d[89a-f])/i;
const unfit = /[\0\p{Cs}]/u;

/** PostgreSQL stores no text with the character U+0000 or with half a character. */
const unfitRefused = (body: unknown): Failure | null => {
  const isUnfit = (text: unknown) => typeof text === 'string' && unfit.test(text);
  const [first] = findMembers(body, ({ name, value }) => isUnfit(name) || isUnfit(value));
  if (!first) return null;
  const field = first.path.replace(new RegExp(unfit, 'gu'), '\ufffd') || 'body';
  const isHalf = /\p{Cs}/u.test(`${first.name}${String(first.value)}`);
  const message = `${field} must not hold ${isHalf ? 'a lone surrogate' : 'the character U+0000'}`;
  const errors = [{ field, message }];
  return new Failure(failures.badRequest, { message: `${message}.`, errors });
};

import { parse as parseForm } from 'node:querystring';
import { failures } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { findMembers } from '../../card-numbers/holds-card-number.ts';
import { maskCardNumbers } from '../../card-numbers/mask-card-numbers.ts';
import { badField } from '../bad-field.ts';
import { findJsonError } from './find-json-error.ts';
import { findRepeatedMember } from './find-repeated-member.ts';
import { isUtf8Address, nulRefused } from './refuse-unreadable.ts';

/** JSON in UTF-8 and nothing else; what PostgreSQL cannot store is refused (WIRE-6). */
export const parseBodies = (app: FastifyInstance): void => {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const text = decoded(request, bytes as Buffer);
    if (text instanceof Failure) return done(text);
    if (text === '') return done(null, undefined);
    void parseJson(request, text, (error, body) => {
      if (error) return done(notJson(text));
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
    const text = decoded(request, bytes as Buffer);
    if (text instanceof Failure) return done(text);
    if (!isUtf8Address(text.replaceAll(' ', '+'))) return done(notUtf8());
    if (text.includes('%00')) return done(nulRefused());
    done(null, parseForm(text));
  });
};

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

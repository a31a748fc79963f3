import { parse as parseForm } from 'node:querystring';
import { failures } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { findJsonError } from './find-json-error.ts';
import { isUtf8Address, nulRefused } from './refuse-unreadable.ts';

/** JSON in UTF-8 and nothing else; what PostgreSQL cannot store is refused (WIRE-6). */
export const parseBodies = (app: FastifyInstance): void => {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const text = decoded(request, bytes as Buffer);
    if (text instanceof Failure) return done(text);
    if (text === '') return done(null, undefined);
    if (text.includes(escapedNul)) return done(nulRefused());
    void parseJson(request, text, (error, body) => {
      if (error) return done(notJson(text));
      if (holdsHalfCharacter(text, body)) return done(halfRefused());
      done(null, body);
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

const escapedNul = '\\u0000';

// PostgreSQL cannot store half a character: an escaped surrogate without its other half, in JSON's own
// text.
const halfCharacter = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;
const holdsHalfCharacter = (text: string, body: unknown): boolean =>
  /\\ud/i.test(text) && halfCharacter.test(JSON.stringify(body));
const halfRefused = () =>
  new Failure(failures.badRequest, { message: 'Text must not contain a lone surrogate.' });

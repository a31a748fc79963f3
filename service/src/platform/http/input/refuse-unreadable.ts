import { failures } from '@florin/contract';
import type { FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';

/** The failure of a request's head, before its body is read (WIRE-6); null: none. */
export const refuseUnreadable = ({ url, method, headers, raw }: FastifyRequest): Failure | null => {
  if (url.includes('%00')) return nulRefused();
  if (!isUtf8Address(url))
    return new Failure(failures.badRequest, { message: 'The address is not valid UTF-8.' });
  if (countOf(raw.rawHeaders, 'host') > 1)
    return new Failure(failures.badRequest, { message: 'Send one Host header only.' });
  const encoding = headers['content-encoding'] ?? 'identity';
  if (method !== 'GET' && method !== 'HEAD' && encoding.toLowerCase() !== 'identity')
    return new Failure(failures.unsupportedMediaType, {
      message: 'Send the body without compression.',
    });
  return null;
};

/** PostgreSQL stores no text with this character. */
export const nulRefused = (): Failure =>
  new Failure(failures.badRequest, { message: 'Text must not hold the character U+0000.' });

const escapedBytes = /(?:%[0-9a-f]{2})+/gi;

/** A percent sign that starts no byte stays as it is. */
export const isUtf8Address = (text: string): boolean => {
  if (/[^\x21-\x7e]/.test(text)) return false;
  try {
    for (const [bytes] of text.matchAll(escapedBytes)) decodeURIComponent(bytes);
    return true;
  } catch {
    return false;
  }
};

const countOf = (rawHeaders: readonly string[], name: string): number =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;

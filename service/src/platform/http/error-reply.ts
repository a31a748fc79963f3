import type { Socket } from 'node:net';
import { type FailureDefinition, failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { maskCardNumbers } from '../card-numbers/mask-card-numbers.ts';
import type { Ids } from '../clock.ts';
import { DatabaseUnavailable, MerchantElsewhere } from '../database/database-unavailable.ts';

/** A 400 about one field; `summary` is the sentence for the whole reply. */
export const badField = (field: string, message: string, summary: string = message): Failure =>
  new Failure(failures.badRequest, { message: summary, errors: [{ field, message }] });

/** The same in one sentence: of `amount`, `must be pounds`. */
export const wrongField = (field: string, says: string): Failure =>
  badField(field, `${field} ${says}`, `${field} ${says}.`);

export type ErrorReply = {
  readonly statusCode: number;
  readonly retryAfterSeconds: number | null;
  readonly isBug: boolean;
  readonly body: {
    readonly name: string;
    readonly message: string;
    readonly status: number;
    readonly errors: readonly { readonly field: string; readonly message: string }[];
  };
};

const unavailableRetrySeconds = 2;

/** Nobody is told to try again what may have been done. */
const notKnown =
  'It is not known whether this was done. Under the Idempotency-Key that it had, send it again; ' +
  'without one, first read what it changes.';

const ofFastify: Record<string, FailureDefinition> = {
  FST_ERR_CTP_BODY_TOO_LARGE: failures.payloadTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: failures.unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: failures.badRequest,
  FST_ERR_BAD_URL: failures.badRequest,
  FST_ERR_MAX_PARAM_LENGTH: failures.badRequest,
};

/** Every way of going wrong, as the error body of WIRE-5. */
export const errorReply = (error: unknown, method = 'GET'): ErrorReply => {
  if (error instanceof Failure) return reply(error.definition, error);
  if (error instanceof MerchantElsewhere)
    return reply(failures.unavailable, {
      message: 'This business is served by another cell now. Try again later.',
    });
  if (error instanceof DatabaseUnavailable) {
    const mayBeDone = error.isOutcomeUnknown && method !== 'GET' && method !== 'HEAD';
    return reply(failures.unavailable, {
      retryAfterSeconds: unavailableRetrySeconds,
      ...(mayBeDone && { message: notKnown }),
    });
  }
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const known = code ? ofFastify[code] : undefined;
  if (known) return reply(known);
  if (error instanceof SyntaxError || (statusCode !== undefined && statusCode < 500))
    return reply(failures.badRequest, { message: 'The body is not valid JSON.' });
  return { ...reply(failures.internalError), isBug: true };
};

const reply = (
  definition: FailureDefinition,
  detail: Partial<Pick<Failure, 'message' | 'errors' | 'retryAfterSeconds' | 'members'>> = {},
): ErrorReply => ({
  statusCode: definition.status,
  retryAfterSeconds: detail.retryAfterSeconds ?? null,
  isBug: false,
  body: {
    name: definition.name,
    message: maskCardNumbers(detail.message ?? definition.message),
    status: definition.status,
    errors: (detail.errors ?? []).map(({ field, message }) => ({
      field: maskCardNumbers(field),
      message: maskCardNumbers(message),
    })),
    ...detail.members,
  },
});

/**
 * Input that is not HTTP never becomes a request: it is answered by hand, in the shape of all other
 * errors.
 */
export const answerBroken =
  ({ ids }: { readonly ids: Ids }, headers: Readonly<Record<string, string>>) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { name, status } = failures.badRequest;
    const message = 'This server cannot read the request as HTTP.';
    const body = JSON.stringify({ name, message, status, errors: [] });
    const head = [
      `HTTP/1.1 ${status} Bad Request`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `x-request-id: ${ids.uuid()}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };

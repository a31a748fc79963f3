import type Stripe from 'stripe';
import type { Log } from '#platform/log.ts';
import { traced } from '#platform/tracing.ts';
import type { Unknown } from '#rails/bank-rail.ts';
import type { StripeSettings, StripeTools } from './settings.ts';

export type Answer<Value> =
  | { readonly kind: 'ANSWER'; readonly value: Value }
  | {
      /** Looked at and refused: nothing was done. */
      readonly kind: 'REFUSED';
      readonly status: number;
      readonly code: string;
      readonly error: Stripe.StripeRawError;
    }
  /** No trustworthy answer: the request may have been carried out. */
  | { readonly kind: 'NOTHING'; readonly why: string; readonly isReplayed: boolean };

export type Call = {
  readonly operation: string;
  /** Ours: what support looks for on both sides. */
  readonly subject: string;
};

/** One request to the processor. Its texts stay here: they may quote the request. */
export const callProcessor = async <Value>(
  account: Account,
  call: Call,
  send: (stripe: Stripe) => Promise<Stripe.Response<Value>>,
): Promise<Answer<Value>> => {
  const { clock, log } = account.tools;
  const stripe = await account.stripe();
  const startedAt = clock.now().getTime();
  const finish = finishing(log, call, () => clock.now().getTime() - startedAt);
  try {
    const value = await traced(`card processor ${call.operation}`, {}, () =>
      withoutStack(() => send(stripe)),
    );
    return finish({ kind: 'ANSWER', value }, 200, value.lastResponse?.requestId);
  } catch (error) {
    const { default: Sdk } = await import('stripe');
    if (!(error instanceof Sdk.errors.StripeError)) throw error;
    return finish(classifyError(error), error.statusCode ?? null, error.requestId);
  }
};

/** The SDK reads its caller's stack at every call, for errors that stay here. */
const withoutStack = <Value>(send: () => Value): Value => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return send();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

const finishing =
  (log: Log, { operation, subject }: Call, passedMs: () => number) =>
  <Value>(answer: Answer<Value>, status: number | null, requestId?: string): Answer<Value> => {
    const line = {
      operation,
      subject,
      status,
      durationMs: passedMs(),
      processorRequestId: requestId ? plainCode(requestId) : null,
    };
    if (answer.kind === 'NOTHING')
      log.warn({ ...line, why: answer.why }, 'card processor gave no answer');
    else if (answer.kind === 'REFUSED')
      log.info({ ...line, code: answer.code }, 'card processor refused');
    else log.info(line, 'card processor answered');
    return answer;
  };

const classifyError = (error: Stripe.errors.StripeError): Answer<never> => {
  const raw = error.raw as Stripe.StripeRawError;
  const status = error.statusCode ?? 0;
  // A key that was used with another body shows nothing of that body's outcome.
  const isRefusal =
    [400, 401, 402, 403, 404].includes(status) &&
    raw.type !== 'idempotency_error' &&
    raw.code !== 'rate_limit' &&
    raw.code !== 'lock_timeout';
  if (isRefusal)
    return { kind: 'REFUSED', status, code: plainCode(codeOf(raw, status)), error: raw };
  const isReplayed = headerOf(error, 'idempotent-replayed') === 'true';
  return { kind: 'NOTHING', why: status === 0 ? reasonOf(error) : `status ${status}`, isReplayed };
};

const codeOf = (raw: Stripe.StripeRawError, status: number): string =>
  raw.decline_code ?? raw.code ?? `HTTP_${status}`;

const headerOf = (error: Stripe.errors.StripeError, name: string): string | undefined =>
  (error.headers as Readonly<Record<string, string>> | undefined)?.[name];

const reasonOf = (error: Stripe.errors.StripeError): string => {
  const detail = error.detail as unknown;
  return detail instanceof Error ? plainCode(detail.message) : plainCode(error.type);
};

/** A code of the processor is stored and shown: only if it is short and plain. */
export const plainCode = (code: string): string =>
  /^[A-Za-z0-9._-]{1,64}$/.test(code) && !/\d{8}/.test(code) ? code : 'UNREADABLE';

/** An id or word of a scheme, kept as it is: one that cannot be stored is none, and none is masked. */
export const plainId = (id: string | null | undefined): string | null =>
  id && /^[\x21-\x7e]{1,64}$/.test(id) ? id : null;

/** The processor's own id of a thing: it is stored, and stands in the addresses of later calls. */
export const processorId = (id: unknown): string | null =>
  typeof id === 'string' && /^[A-Za-z0-9_-]{1,255}$/.test(id) ? id : null;

export const unknown = (description: string): Unknown => ({ kind: 'UNKNOWN', description });

export const unanswered = (why: string): Unknown =>
  unknown(`No answer from the card processor (${why}).`);

export const notOurs: Unknown = unknown('The card processor answers about another payment.');

/** One merchant's account in one environment, as every step sees it. */
export type Account = {
  readonly settings: StripeSettings;
  readonly tools: StripeTools;
  readonly stripe: () => Promise<Stripe>;
};

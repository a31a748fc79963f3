import { isIP } from 'node:net';
import { errors } from 'jose';
import { traced } from '#platform/tracing.ts';
import type { Refusal, Unknown } from '#rails/bank-rail.ts';
import { ownCode, sentenceFor } from '../messages/bank-errors.ts';
import { findSignatureFault, signDetached } from '../messages/detached-jws.ts';
import { readErrorCode } from '../messages/read-payment-answers.ts';
import { parseJson } from '../messages/read-values.ts';
import type { Bank } from './bank.ts';
import { clockToleranceSeconds, KeysUnavailable } from './open-key-source.ts';
import type { HttpAnswer } from './transport.ts';
import { isBankFault } from './watch-health.ts';

/** One request to a bank. */
export type BankCall = Payer & {
  readonly operation: string;
  /** Events lie elsewhere at the bank: how they go says nothing about payments. */
  readonly api: 'payments' | 'accounts' | 'events';
  /** Absent: it reads. */
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  /** Under the address of the interface, or a whole address that was checked. */
  readonly path: string;
  readonly interactionId: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
};

/** The payer who waits for the answer. */
export type Payer = {
  readonly payerAddress?: string | undefined;
  readonly payerUserAgent?: string | undefined;
};

/** Only what fits into a header of the standard. */
export const payerOf = (address: string | undefined, userAgent: string | undefined): Payer => {
  const plainAgent = userAgent
    ?.replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 400);
  return {
    ...(address && isIP(address) && { payerAddress: address }),
    ...(plainAgent && { payerUserAgent: plainAgent }),
  };
};

export type BankAnswer = Answered | NoAnswer;

export type Answered = {
  readonly kind: 'ANSWER';
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: string | undefined;
};

/** No trustworthy answer: the request may have been carried out, unless it was never sent. */
type NoAnswer = { readonly kind: 'NOTHING'; readonly why: string; readonly isSent: boolean };

export const callBank = async (bank: Bank, call: BankCall, token: string): Promise<BankAnswer> => {
  const { clock, log } = bank.tools;
  const startedAt = clock.now().getTime();
  const facts = { 'florin.bank': bank.profile.id, 'florin.request_id': call.interactionId };
  const { answer, status } = await traced(`bank ${call.operation}`, facts, async (note) => {
    const exchanged = await exchangeMessages(bank, call, token);
    note({ 'http.response.status_code': exchanged.status ?? 0 });
    return exchanged;
  });
  const durationMs = clock.now().getTime() - startedAt;
  recordHealth(bank, call, !isBankFault(status), durationMs);
  const line = {
    bank: bank.profile.id,
    operation: call.operation,
    status,
    durationMs,
    interactionId: call.interactionId,
  };
  if (answer.kind === 'NOTHING') log.warn({ ...line, why: answer.why }, 'bank gave no answer');
  else log.info(line, 'bank answered');
  return answer;
};

const recordHealth = ({ health }: Bank, { api }: BankCall, isAnswered: boolean, ms: number) => {
  if (api !== 'events') health[api].record(isAnswered, ms);
};

/**
 * With our own token. A refused token is dropped and the call repeated once with a new one: such
 * calls only read, end a consent, or create one under its idempotency key.
 */
export const callAsClient = async (
  bank: Bank,
  call: BankCall,
  mayRepeat = true,
): Promise<BankAnswer> => {
  const { clock } = bank.tools;
  const startedAt = clock.now().getTime();
  const tokens = call.api === 'accounts' ? bank.accountToken : bank.clientToken;
  let token: string;
  try {
    // Without its keys an answer could not be trusted.
    await bank.discovered.get();
    token = await tokens.get();
  } catch (error) {
    const why = faultName(error);
    recordHealth(bank, call, false, clock.now().getTime() - startedAt);
    warn(bank, call.interactionId, 'client token', why, 'bank gave no token');
    return { kind: 'NOTHING', why, isSent: false };
  }
  const answer = await callBank(bank, call, token);
  if (!mayRepeat || answer.kind !== 'ANSWER' || answer.status !== 401) return answer;
  tokens.drop(token);
  return callAsClient(bank, call, false);
};

/** A line of the log about a step at a bank that went wrong. */
export const warn = (
  { profile, tools }: Bank,
  interactionId: string,
  operation: string,
  why: string,
  message: string,
): void => tools.log.warn({ bank: profile.id, operation, why, interactionId }, message);

type Exchanged = { readonly answer: BankAnswer; readonly status: number | null };

const exchangeMessages = async (bank: Bank, call: BankCall, token: string): Promise<Exchanged> => {
  let http: HttpAnswer;
  try {
    http = await bank.transport.send(addressOf(bank, call), {
      method: call.method ?? 'GET',
      headers: await headersOf(bank, call, token),
      ...(call.body !== undefined && { body: call.body }),
    });
  } catch (error) {
    return { answer: nothing(faultName(error)), status: null };
  }
  const { status } = http;
  const fault = await findAnswerFault(bank, call, http);
  if (fault) return { answer: nothing(fault), status };
  const retryAfter = http.headers['retry-after'];
  return { answer: { kind: 'ANSWER', status, body: parseJson(http.body), retryAfter }, status };
};

const nothing = (why: string): NoAnswer => ({ kind: 'NOTHING', why, isSent: true });

const addressOf = ({ profile }: Bank, { api, path }: BankCall): string =>
  path.startsWith('/') ? `${profile[`${api}Url`] ?? ''}${path}` : path;

/** What shows accounts is neither signed by us nor by the bank. */
const isSigned = ({ api }: BankCall): boolean => api !== 'accounts';

const headersOf = async (
  bank: Bank,
  call: BankCall,
  token: string,
): Promise<Readonly<Record<string, string>>> => {
  const { financialId } = bank.profile;
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'x-fapi-interaction-id': call.interactionId,
    ...(financialId && { 'x-fapi-financial-id': financialId }),
    ...(call.payerAddress && { 'x-fapi-customer-ip-address': call.payerAddress }),
    ...(call.payerUserAgent && { 'x-customer-user-agent': call.payerUserAgent }),
    ...(call.body !== undefined && { 'content-type': 'application/json' }),
    ...(call.idempotencyKey !== undefined && { 'x-idempotency-key': call.idempotencyKey }),
    ...(call.body !== undefined && isSigned(call) && (await signatureOf(bank, call.body))),
  };
};

const signatureOf = async ({ client, clientKeys, signatureForm, tools }: Bank, body: string) => {
  const now = tools.clock.now();
  const identity = {
    keyId: client.signingKeyId,
    issuer: `${client.organisationId}/${client.softwareStatementId}`,
    trustAnchor: client.trustAnchor,
  };
  const key = await clientKeys.signingKey();
  return {
    'x-fapi-auth-date': now.toUTCString(),
    'x-jws-signature': await signDetached(body, key, identity, now, signatureForm),
  };
};

/** A signature that is there is verified, whether one is expected or not. */
const findAnswerFault = async (
  bank: Bank,
  call: BankCall,
  http: HttpAnswer,
): Promise<string | null> => {
  const signature = http.headers['x-jws-signature'];
  const isExpected = isSigned(call) && bank.profile.answerSignature === 'required';
  if (!signature) return isExpected && !isFromTheGate(http.status) ? 'signature missing' : null;
  try {
    const { answerKeys } = await bank.discovered.get();
    const issuer = bank.profile.bankSigning?.organisationId;
    const fault = await findSignatureFault(signature, http.body, {
      keys: answerKeys,
      ...(issuer && { issuer }),
      trustAnchor: bank.client.trustAnchor,
      now: bank.tools.clock.now(),
      clockToleranceSeconds,
      form: bank.signatureForm,
    });
    return fault && `signature wrong: ${fault}`;
  } catch (error) {
    if (error instanceof errors.JOSEError) return `signature wrong: ${error.code}`;
    return error instanceof KeysUnavailable ? 'keys unavailable' : faultName(error);
  }
};

/** An early refusal (no token, too many calls) comes from a gateway, which signs nothing. */
const isFromTheGate = (status: number): boolean =>
  [401, 403, 408, 425, 429].includes(status) || status >= 500;

/** A code such as ECONNREFUSED or UND_ERR_HEADERS_TIMEOUT: never a text that may carry data. */
export const faultName = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown fault';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const cause = error.cause instanceof Error ? faultName(error.cause) : undefined;
  return code ?? cause ?? error.name;
};

/** The meaning of an answer other than success for something that may move money. */
export const classifyRefusal = ({ status, body }: Answered): Refusal | Unknown => {
  if (status < 400 || status >= 500 || isAboutNow(status)) return answeredWith(status);
  const code = readErrorCode(body);
  if (!code) return unknown(`The bank answered with status ${status} and no reason.`);
  if (mayHaveHappened.has(ownCode(code)))
    return unknown(`The bank answered ${plainCode(code)}: the payment may exist already.`);
  return refusal(code);
};

/** Says "not now" or "not you", and nothing about the payment. */
const isAboutNow = (status: number): boolean => [401, 408, 425, 429].includes(status);

// Each of these can be the echo of our own earlier message whose answer was lost.
const mayHaveHappened = new Set([
  ...['U000', 'U009', 'U029', 'U035', 'U038', '1181'],
  ...['AM05', 'DUPL', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05'],
]);

export const refusal = (code: string): Refusal => ({
  kind: 'REFUSED',
  code: plainCode(code),
  description: sentenceFor(code),
});

export const unknown = (description: string): Unknown => ({ kind: 'UNKNOWN', description });

export const answeredWith = (status: number): Unknown =>
  unknown(`The bank answered with status ${status}.`);

export const unanswered = (why: string): Unknown => unknown(`No answer from the bank (${why}).`);

/** A code of the bank is stored and shown: only if it is short and plain. */
export const plainCode = (code: string): string =>
  /^[A-Za-z0-9._-]{1,64}$/.test(code) ? code : 'UNREADABLE';

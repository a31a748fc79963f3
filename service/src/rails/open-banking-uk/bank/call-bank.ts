import { errors } from 'jose';
import type { Refusal, Unknown } from '#rails/bank-rail.ts';
import { sentenceFor } from '../messages/bank-errors.ts';
import { findSignatureFault, signDetached } from '../messages/detached-jws.ts';
import { parseJson } from '../messages/read-values.ts';
import type { Bank } from './bank.ts';
import { clockToleranceSeconds, KeysUnavailable } from './open-key-source.ts';
import type { HttpAnswer } from './transport.ts';
import { isBankFault } from './watch-health.ts';

/** One request to a bank's payment interface. */
export type BankCall = {
  readonly operation: string;
  readonly path: string;
  readonly interactionId: string;
  readonly payerAddress?: string | undefined;
  readonly payerUserAgent?: string | undefined;
  /** Present: a signed POST. Absent: a GET. */
  readonly submission?: { readonly body: string; readonly idempotencyKey?: string };
  /** Elsewhere at the bank: how it goes says nothing about payments. */
  readonly aside?: { readonly baseUrl: string; readonly method?: 'PUT' };
};

export type BankAnswer =
  | { readonly kind: 'ANSWER'; readonly status: number; readonly body: unknown }
  /** No trustworthy answer: the request may have been carried out. */
  | { readonly kind: 'NOTHING'; readonly why: string };

export const callBank = async (bank: Bank, call: BankCall, token: string): Promise<BankAnswer> => {
  const { clock, log } = bank.tools;
  const startedAt = clock.now().getTime();
  const { answer, status } = await exchangeMessages(bank, call, token);
  const durationMs = clock.now().getTime() - startedAt;
  if (!call.aside) bank.health.payments.record(!isBankFault(status), durationMs);
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

type Exchanged = { readonly answer: BankAnswer; readonly status: number | null };

const exchangeMessages = async (bank: Bank, call: BankCall, token: string): Promise<Exchanged> => {
  let http: HttpAnswer;
  try {
    http = await bank.transport.send(
      `${call.aside?.baseUrl ?? bank.profile.paymentsUrl}${call.path}`,
      {
        method: call.submission ? (call.aside?.method ?? 'POST') : 'GET',
        headers: await headersOf(bank, call, token),
        ...(call.submission && { body: call.submission.body }),
      },
    );
  } catch (error) {
    return { answer: { kind: 'NOTHING', why: faultName(error) }, status: null };
  }
  const isExpected = bank.profile.answerSignature === 'required' && !isFromTheGate(http.status);
  const fault = await findAnswerFault(bank, http, isExpected);
  const answer: BankAnswer = fault
    ? { kind: 'NOTHING', why: fault }
    : { kind: 'ANSWER', status: http.status, body: parseJson(http.body) };
  return { answer, status: http.status };
};

const headersOf = async (
  bank: Bank,
  call: BankCall,
  token: string,
): Promise<Readonly<Record<string, string>>> => {
  const { client, profile, tools } = bank;
  const now = tools.clock.now();
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'x-fapi-interaction-id': call.interactionId,
  };
  if (profile.financialId) headers['x-fapi-financial-id'] = profile.financialId;
  if (call.payerAddress) headers['x-fapi-customer-ip-address'] = call.payerAddress;
  if (call.payerUserAgent) headers['x-customer-user-agent'] = call.payerUserAgent;
  if (!call.submission) return headers;
  const identity = {
    keyId: client.signingKeyId,
    issuer: `${client.organisationId}/${client.softwareStatementId}`,
    trustAnchor: client.trustAnchor,
  };
  const key = await bank.clientKeys.signingKey();
  return {
    ...headers,
    'content-type': 'application/json',
    'x-fapi-auth-date': now.toUTCString(),
    ...(call.submission.idempotencyKey !== undefined && {
      'x-idempotency-key': call.submission.idempotencyKey,
    }),
    'x-jws-signature': await signDetached(
      call.submission.body,
      key,
      identity,
      now,
      bank.signatureForm,
    ),
  };
};

/** A signature that is there is verified, whether one is expected or not. */
export const findAnswerFault = async (
  bank: Bank,
  http: HttpAnswer,
  isExpected: boolean,
): Promise<string | null> => {
  const signature = http.headers['x-jws-signature'];
  if (!signature) return isExpected ? 'signature missing' : null;
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
export const classifyRefusal = (
  bank: Bank,
  answer: Extract<BankAnswer, { kind: 'ANSWER' }>,
): Refusal | Unknown => {
  const { status } = answer;
  if (status < 400 || status >= 500 || isAboutNow(status))
    return unknown(`The bank answered with status ${status}.`);
  const code = bank.codec.readError(answer.body)?.codes[0];
  if (!code) return unknown(`The bank answered with status ${status} and no reason.`);
  if (mayHaveHappened.has(code))
    return unknown(`The bank answered ${plainCode(code)}: the payment may exist already.`);
  return refusal(code);
};

/** Says "not now" or "not you", and nothing about the payment. */
const isAboutNow = (status: number): boolean => [401, 408, 425, 429].includes(status);

// Each of these can be the echo of our own earlier message whose answer was lost.
const mayHaveHappened = new Set([
  'U000',
  'U009',
  'U029',
  'U035',
  'U038',
  'AM05',
  'DUPL',
  'DU01',
  'DU02',
  'DU03',
  'DU04',
  'DU05',
  '1181',
  'UK.OBIE.UnexpectedError',
  'UK.OBIE.Resource.InvalidConsentStatus',
  'UK.OBIE.Rules.ResourceAlreadyExists',
]);

export const refusal = (code: string): Refusal => ({
  kind: 'REFUSED',
  code: plainCode(code),
  description: sentenceFor(code),
});

export const unknown = (description: string): Unknown => ({ kind: 'UNKNOWN', description });

export const unanswered = (why: string): Unknown => unknown(`No answer from the bank (${why}).`);

/** A code of the bank is stored and shown: only if it is short and plain. */
export const plainCode = (code: string): string =>
  /^[A-Za-z0-9._-]{1,64}$/.test(code) ? code : 'UNREADABLE';

import { isIP } from 'node:net';
import type { RateLimited, Visitor } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { faultName, findAnswerFault } from '../bank/call-bank.ts';
import type { HttpAnswer } from '../bank/transport.ts';
import { isBankFault } from '../bank/watch-health.ts';
import { parseJson } from '../messages/read-values.ts';

/** One request to the part of a bank's interface that shows accounts: it signs nothing. */
type AccountsCall = {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Under the bank's address for accounts, or a whole address that was checked. */
  readonly path: string;
  readonly interactionId: string;
  readonly visitor: Visitor;
  readonly body?: string;
};

export type AccountsAnswer =
  | {
      readonly kind: 'ANSWER';
      readonly status: number;
      readonly body: unknown;
      readonly retryAfter: string | undefined;
    }
  | { readonly kind: 'NOTHING'; readonly why: string };

export const callAccounts = async (
  bank: Bank,
  call: AccountsCall,
  token: string,
): Promise<AccountsAnswer> => {
  const { clock, log } = bank.tools;
  const startedAt = clock.now().getTime();
  const { answer, status } = await exchangeMessages(bank, call, token);
  const durationMs = clock.now().getTime() - startedAt;
  bank.health.accounts.record(!isBankFault(status), durationMs);
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

/** With a token of our own. A refused one is dropped, and the call repeated once with another. */
export const callAccountsAsClient = async (
  bank: Bank,
  call: AccountsCall,
): Promise<AccountsAnswer> => {
  try {
    const token = await bank.accountToken.get();
    const first = await callAccounts(bank, call, token);
    if (first.kind === 'NOTHING' || first.status !== 401) return first;
    bank.accountToken.drop(token);
    return await callAccounts(bank, call, await bank.accountToken.get());
  } catch (error) {
    const why = faultName(error);
    const line = { bank: bank.profile.id, operation: 'client token', why };
    bank.tools.log.warn({ ...line, interactionId: call.interactionId }, 'bank gave no token');
    return { kind: 'NOTHING', why };
  }
};

type Exchanged = { readonly answer: AccountsAnswer; readonly status: number | null };

const exchangeMessages = async (
  bank: Bank,
  call: AccountsCall,
  token: string,
): Promise<Exchanged> => {
  let http: HttpAnswer;
  try {
    http = await bank.transport.send(addressOf(bank, call.path), {
      method: call.method,
      headers: headersOf(bank, call, token),
      ...(call.body !== undefined && { body: call.body }),
    });
  } catch (error) {
    return { answer: { kind: 'NOTHING', why: faultName(error) }, status: null };
  }
  const { status } = http;
  const fault = await findAnswerFault(bank, http, false);
  if (fault) return { answer: { kind: 'NOTHING', why: fault }, status };
  const retryAfter = http.headers['retry-after'];
  return { answer: { kind: 'ANSWER', status, body: parseJson(http.body), retryAfter }, status };
};

const addressOf = (bank: Bank, path: string): string =>
  path.startsWith('/') ? `${bank.profile.accountsUrl}${path}` : path;

const headersOf = (
  bank: Bank,
  call: AccountsCall,
  token: string,
): Readonly<Record<string, string>> => {
  const { visitor } = call;
  const userAgent = visitor?.userAgent
    ?.replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 400);
  const { financialId } = bank.profile;
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'x-fapi-interaction-id': call.interactionId,
    ...(financialId && { 'x-fapi-financial-id': financialId }),
    ...(visitor && isIP(visitor.address) && { 'x-fapi-customer-ip-address': visitor.address }),
    ...(userAgent && { 'x-customer-user-agent': userAgent }),
    ...(call.body !== undefined && { 'content-type': 'application/json' }),
  };
};

/** `Retry-After` in seconds or as a date, within bounds of our own. */
export const rateLimited = (bank: Bank, retryAfter: string | undefined): RateLimited => {
  const { fallback, min, max } = accountLimits.retryAfterMs;
  const now = bank.tools.clock.now().getTime();
  const seconds = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : null;
  const date = Date.parse(retryAfter ?? '') - now;
  const wanted = seconds ?? (Number.isNaN(date) ? fallback : date);
  return { kind: 'RATE_LIMITED', retryAfter: new Date(now + Math.min(Math.max(wanted, min), max)) };
};

export const codeOf = (
  bank: Bank,
  answer: Extract<AccountsAnswer, { kind: 'ANSWER' }>,
): string | null => bank.codec.readError(answer.body)?.codes[0] ?? null;

/** What one answer or one list of a bank may hold; more is left unread, and said so. */
export const accountLimits = {
  pages: 2_000,
  entriesOfPage: 10_000,
  accounts: 500,
  balances: 100,
  linkLength: 2_048,
  cursorLength: 65_536,
  tokenLength: 8_192,
  retryAfterMs: { fallback: 60_000, min: 1_000, max: 86_400_000 },
} as const;

/** Null for an id that could name another address. */
export const accountPath = (accountId: string, part: string): string | null =>
  isAccountId(accountId) ? `/accounts/${encodeURIComponent(accountId)}/${part}` : null;

export const isAccountId = (text: string): boolean =>
  /^[\x21-\x7e]{1,40}$/.test(text) && !/^\.+$/.test(text);

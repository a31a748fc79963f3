import type { JWTPayload } from 'jose';
import type {
  AccountConsentOrder,
  AccountConsentOutcome,
  SharedData,
  TokensOutcome,
} from '#rails/bank-data-rail.ts';
import { readRailState } from '#rails/rail-state.ts';
import type { Bank } from '../bank/bank.ts';
import {
  type Answered,
  answeredWith,
  callAsClient,
  payerOf,
  refusal,
  unanswered,
  unknown,
} from '../bank/call-bank.ts';
import {
  type Authorisation,
  exchangeCode,
  type Granted,
  newAuthorisation,
  openVisit,
} from '../consents/visit.ts';
import { readConsentStatus } from '../messages/payment-status.ts';
import { readErrorCode } from '../messages/read-payment-answers.ts';
import { objectAt, textOf } from '../messages/read-values.ts';
import { rateLimited } from './limits.ts';

/** Requests a consent from the bank, and the address where its customer chooses the accounts. */
export const createAccountConsent = async (
  bank: Bank,
  order: AccountConsentOrder,
): Promise<AccountConsentOutcome> => {
  const { profile, tools } = bank;
  const interactionId = order.requestId ?? tools.ids.uuid();
  const answer = await callAsClient(bank, {
    api: 'accounts',
    operation: 'create account consent',
    method: 'POST',
    path: '/account-access-consents',
    interactionId,
    ...payerOf(order.visitor?.address, order.visitor?.userAgent),
    body: JSON.stringify(consentOf(order)),
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status >= 300) return classify(bank, answer);
  const data = objectAt(answer.body, 'Data');
  const consentId = textOf(data, 'ConsentId');
  const status = readConsentStatus(textOf(data, 'Status') ?? '');
  if (!consentId || !isPlainId(consentId) || status !== 'AWAITING')
    return unknown('The answer of the bank is no consent that waits for its customer.');
  const state = {
    v: 1 as const,
    kind: 'ACCOUNTS' as const,
    bankId: profile.id,
    version: profile.accountsVersion ?? '4.0',
    interactionId,
    consentId,
    authorisation: newAuthorisation(bank, 'accounts', order.oauthState),
  } satisfies AccountState;
  return openVisit(bank, state, 'accounts', order.loginHint);
};

const permissionsOf: Readonly<Record<SharedData, readonly string[]>> = {
  ACCOUNTS: ['ReadAccountsDetail'],
  BALANCES: ['ReadBalances'],
  TRANSACTIONS: ['ReadTransactionsDetail', 'ReadTransactionsCredits', 'ReadTransactionsDebits'],
};

/** Only what every bank must offer: one permission more, and some refuse the whole. */
const consentOf = ({ sharedData, expiresAt, transactionsFrom }: AccountConsentOrder) => ({
  Data: {
    Permissions: [...new Set<SharedData>(['ACCOUNTS', ...sharedData])].flatMap(
      (each) => permissionsOf[each],
    ),
    ...(expiresAt && { ExpirationDateTime: secondsOf(expiresAt) }),
    ...(transactionsFrom && { TransactionFromDateTime: secondsOf(transactionsFrom) }),
  },
  Risk: {},
});

// Some banks refuse fractions of a second.
const secondsOf = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, '+00:00');

const classify = (bank: Bank, { status, body, retryAfter }: Answered): AccountConsentOutcome => {
  if (status === 429) return rateLimited(bank, retryAfter);
  const code = status < 500 && status !== 401 ? readErrorCode(body) : null;
  return code ? refusal(code) : answeredWith(status);
};

const isPlainId = (id: string): boolean => /^[\x21-\x7e]{1,128}$/.test(id) && !/^\.+$/.test(id);

/** The customer's code for the tokens that read the accounts of this one consent. */
export const exchangeAccountCode = async (
  bank: Bank,
  state: AccountState,
  code: string,
): Promise<TokensOutcome> => {
  const exchanged = await exchangeCode(bank, state, 'accounts', code);
  if (exchanged.kind !== 'GRANTED') return exchanged;
  const { authorisation: _used, ...rest } = state;
  return okWith(rest, firstTokens(bank, exchanged.granted, exchanged.claims));
};

const refreshEndClaim = 'http://openbanking.org.uk/refresh_token_expires_at';

const firstTokens = (bank: Bank, granted: Granted, claims: JWTPayload): AccountTokens => {
  const seconds = claims[refreshEndClaim];
  const endsAt = typeof seconds === 'number' && seconds > 0 && seconds < 1e11 ? seconds : null;
  return tokensOf(bank, granted, {
    refresh: null,
    refreshEndsAt: endsAt === null ? null : endsAt * 1000,
  });
};

/** The rail's memory of one bank link, kept (encrypted) by the module. */
export type AccountState = {
  readonly v: 1;
  readonly kind: 'ACCOUNTS';
  readonly bankId: string;
  readonly version: string;
  readonly interactionId: string;
  readonly consentId: string;
  readonly authorisation?: Authorisation;
  readonly tokens?: AccountTokens;
};

type AccountTokens = {
  readonly access: string;
  readonly accessEndsAt: number;
  readonly refresh: string | null;
  readonly refreshEndsAt: number | null;
};

/** Null if this connector did not write it. */
export const readAccountState = (text: string): AccountState | null =>
  readRailState(text, 'ACCOUNTS', ['bankId', 'version', 'interactionId', 'consentId']);

// A token without a lifetime lives briefly; none is used in its last seconds.
const assumedLifetimeSeconds = 60;
const maxLifetimeSeconds = 366 * 86_400;
const endsEarlyMs = 5_000;

/** A bank that sends no new refresh token lets the old one be used on. */
export const tokensOf = (
  bank: Bank,
  granted: Granted,
  before: Pick<AccountTokens, 'refresh' | 'refreshEndsAt'>,
): AccountTokens => {
  const seconds = Math.min(granted.expires_in ?? assumedLifetimeSeconds, maxLifetimeSeconds);
  return {
    access: granted.access_token,
    accessEndsAt: bank.tools.clock.now().getTime() + seconds * 1000 - endsEarlyMs,
    refresh: granted.refresh_token ?? before.refresh,
    refreshEndsAt: before.refreshEndsAt,
  };
};

export const okWith = (state: AccountState, tokens: AccountTokens): TokensOutcome => ({
  kind: 'OK',
  state: JSON.stringify({ ...state, tokens }),
  accessEndsAt: new Date(tokens.accessEndsAt),
  refreshEndsAt: tokens.refreshEndsAt === null ? null : new Date(tokens.refreshEndsAt),
});

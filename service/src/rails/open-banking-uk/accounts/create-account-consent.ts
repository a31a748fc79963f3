import type { JWTPayload } from 'jose';
import type { genericGrantRequest } from 'openid-client';
import type {
  AccountConsentOrder,
  AccountConsentOutcome,
  SharedData,
  TokensOutcome,
} from '#rails/bank-data-rail.ts';
import type { Authorisation, Bank } from '../bank/bank.ts';
import { faultName, refusal, unanswered, unknown } from '../bank/call-bank.ts';
import { checkIdToken } from '../consents/check-id-token.ts';
import { newAuthorisation } from '../consents/create-consent.ts';
import { exchangeCode } from '../consents/exchange.ts';
import { oauthRefusalCode } from '../consents/read-return.ts';
import { objectAt, textOf } from '../messages/read-values.ts';
import { type AccountsAnswer, callAccountsAsClient, codeOf, rateLimited } from './call-accounts.ts';

/** Requests a consent from the bank, and the address where its customer chooses the accounts. */
export const createAccountConsent = async (
  bank: Bank,
  order: AccountConsentOrder,
): Promise<AccountConsentOutcome> => {
  const { profile, tools } = bank;
  const interactionId = tools.ids.uuid();
  const answer = await callAccountsAsClient(bank, {
    operation: 'create account consent',
    method: 'POST',
    path: '/account-access-consents',
    interactionId,
    visitor: order.visitor,
    body: JSON.stringify(consentOf(order)),
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status >= 300) return classify(bank, answer);
  const data = objectAt(answer.body, 'Data');
  const consentId = textOf(data, 'ConsentId');
  if (!consentId || !isPlainId(consentId) || !isAwaiting.has(textOf(data, 'Status') ?? ''))
    return unknown('The answer of the bank is no consent that waits for its customer.');
  const state = {
    v: 1 as const,
    kind: 'ACCOUNTS' as const,
    bankId: profile.id,
    version: profile.accountsVersion ?? '4.0',
    interactionId,
    consentId,
    authorisation: newAuthorisation(bank, order.oauthState),
  };
  return authorise(bank, state, order.loginHint);
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

const authorise = async (
  bank: Bank,
  state: AccountState & Required<Pick<AccountState, 'authorisation'>>,
  loginHint: string | undefined,
): Promise<AccountConsentOutcome> => {
  try {
    const authorisationUrl = await bank.requestAuthorisation(bank, {
      consentId: state.consentId,
      authorisation: state.authorisation,
      scope: 'accounts',
      redirectUri: bank.client.accountRedirectUri,
      loginHint,
    });
    const { consentId: reference, interactionId } = state;
    return {
      kind: 'CREATED',
      state: writeAccountState(state),
      reference,
      authorisationUrl,
      interactionId,
    };
  } catch (error) {
    const code = oauthRefusalCode(error);
    const why = code ?? faultName(error);
    const line = { bank: bank.profile.id, operation: 'request authorisation', why };
    bank.tools.log.warn({ ...line, interactionId: state.interactionId }, 'bank gave no address');
    return code ? refusal('AUTHORISATION_REFUSED') : unanswered(why);
  }
};

const classify = (
  bank: Bank,
  answer: Extract<AccountsAnswer, { kind: 'ANSWER' }>,
): AccountConsentOutcome => {
  if (answer.status === 429) return rateLimited(bank, answer.retryAfter);
  const code = answer.status < 500 && answer.status !== 401 ? codeOf(bank, answer) : null;
  return code ? refusal(code) : unknown(`The bank answered with status ${answer.status}.`);
};

const isAwaiting = new Set(['AWAU', 'AwaitingAuthorisation']);

const isPlainId = (id: string): boolean => /^[\x21-\x7e]{1,128}$/.test(id) && !/^\.+$/.test(id);

/** The customer's code for the tokens that read the accounts of this one consent. */
export const exchangeAccountCode = async (
  bank: Bank,
  state: AccountState,
  code: string,
): Promise<TokensOutcome> => {
  const { authorisation, ...rest } = state;
  if (!authorisation) return unknown('This link does not wait for a code.');
  const line = { bank: bank.profile.id, operation: 'exchange', interactionId: state.interactionId };
  try {
    const redirectUri = bank.client.accountRedirectUri;
    const visit = { authorisation, redirectUri, scope: 'accounts' as const };
    const granted = await exchangeCode(bank, visit, code);
    const expected = { consentId: state.consentId, nonce: authorisation.nonce };
    const checked = await checkIdToken(bank, expected, granted.id_token);
    if (checked.fault !== null) {
      bank.tools.log.warn({ ...line, why: checked.fault }, 'bank sent a wrong id token');
      return refusal('ID_TOKEN_INVALID');
    }
    return okWith(rest, firstTokens(bank, granted, checked.claims));
  } catch (error) {
    const refused = oauthRefusalCode(error);
    bank.tools.log.warn({ ...line, why: refused ?? faultName(error) }, 'bank gave no token');
    return refused ? refusal(refused) : unanswered(faultName(error));
  }
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

export const writeAccountState = (state: AccountState): string => JSON.stringify(state);

/** Null if this connector did not write it. */
export const readAccountState = (text: string): AccountState | null => {
  try {
    const state: unknown = JSON.parse(text);
    return isAccountState(state) ? state : null;
  } catch {
    return null;
  }
};

const texts = ['bankId', 'version', 'interactionId', 'consentId'] as const;

const isAccountState = (state: unknown): state is AccountState => {
  if (typeof state !== 'object' || state === null) return false;
  const members = state as Readonly<Record<string, unknown>>;
  const isOurs = members.v === 1 && members.kind === 'ACCOUNTS';
  return isOurs && texts.every((name) => typeof members[name] === 'string');
};

type Granted = Awaited<ReturnType<typeof genericGrantRequest>>;

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
  state: writeAccountState({ ...state, tokens }),
  accessEndsAt: new Date(tokens.accessEndsAt),
  refreshEndsAt: tokens.refreshEndsAt === null ? null : new Date(tokens.refreshEndsAt),
});

import type {
  AccountConsentOrder,
  AccountConsentOutcome,
  SharedData,
} from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { faultName } from '../bank/call-bank.ts';
import { refusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import { newAuthorisation } from '../consents/new-authorisation.ts';
import { oauthRefusalCode } from '../consents/oauth-refusal-code.ts';
import { objectAt, textOf } from '../messages/read-json.ts';
import { type AccountState, writeAccountState } from './account-state.ts';
import { type AccountsAnswer, callAccountsAsClient } from './call-accounts.ts';
import { codeOf, rateLimited } from './rate-limited.ts';

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

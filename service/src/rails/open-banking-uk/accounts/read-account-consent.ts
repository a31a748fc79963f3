import type { AccountConsentStatusOutcome } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { refusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import { objectAt, textOf } from '../messages/read-json.ts';
import { readTime } from '../messages/read-time.ts';
import type { AccountState } from './account-state.ts';
import { callAccountsAsClient } from './call-accounts.ts';
import { codeOf, rateLimited } from './rate-limited.ts';

export const readAccountConsent = async (
  bank: Bank,
  state: AccountState,
): Promise<AccountConsentStatusOutcome> => {
  const answer = await callAccountsAsClient(bank, {
    operation: 'read account consent',
    method: 'GET',
    path: consentPath(state),
    interactionId: state.interactionId,
    visitor: null,
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status === 429) return rateLimited(bank, answer.retryAfter);
  if (answer.status === 400 || answer.status === 404) {
    const code = codeOf(bank, answer);
    return code === null ? unknown('The bank gave no reason.') : refusal(code);
  }
  if (answer.status !== 200) return unknown(`The bank answered with status ${answer.status}.`);
  const data = objectAt(answer.body, 'Data');
  const status = statuses.get(textOf(data, 'Status') ?? '');
  if (!status || textOf(data, 'ConsentId') !== state.consentId)
    return unknown('The answer of the bank is not this consent.');
  return { kind: 'OK', status, changedAt: readTime(textOf(data, 'StatusUpdateDateTime')) };
};

export const consentPath = ({ consentId }: AccountState): string =>
  `/account-access-consents/${encodeURIComponent(consentId)}`;

type ConsentStatus = Extract<AccountConsentStatusOutcome, { kind: 'OK' }>['status'];

/** Of both versions of the standard. */
const statuses = new Map<string, ConsentStatus>([
  ['AWAU', 'AWAITING'],
  ['AwaitingAuthorisation', 'AWAITING'],
  ['AUTH', 'AUTHORISED'],
  ['Authorised', 'AUTHORISED'],
  ['RJCT', 'REJECTED'],
  ['Rejected', 'REJECTED'],
  ['CANC', 'REVOKED'],
  ['Revoked', 'REVOKED'],
  ['EXPD', 'EXPIRED'],
  ['Expired', 'EXPIRED'],
]);

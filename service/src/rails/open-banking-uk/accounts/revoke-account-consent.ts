import type { RevokeOutcome } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { refusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import type { AccountState } from './account-state.ts';
import { callAccountsAsClient } from './call-accounts.ts';
import { codeOf, rateLimited } from './rate-limited.ts';
import { consentPath } from './read-account-consent.ts';

export const revokeAccountConsent = async (
  bank: Bank,
  state: AccountState,
): Promise<RevokeOutcome> => {
  const answer = await callAccountsAsClient(bank, {
    operation: 'revoke account consent',
    method: 'DELETE',
    path: consentPath(state),
    interactionId: state.interactionId,
    visitor: null,
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status === 204 || answer.status === 200) return { kind: 'REVOKED' };
  if (answer.status === 429) return rateLimited(bank, answer.retryAfter);
  const code = answer.status < 500 ? codeOf(bank, answer) : null;
  // Gone already: a repeat of our own call, or deleted by the bank.
  if (code !== null && isGone.has(code)) return { kind: 'REVOKED' };
  return code ? refusal(code) : unknown(`The bank answered with status ${answer.status}.`);
};

const isGone = new Set([
  'U009',
  'U011',
  'UK.OBIE.Resource.InvalidConsentStatus',
  'UK.OBIE.Resource.NotFound',
]);

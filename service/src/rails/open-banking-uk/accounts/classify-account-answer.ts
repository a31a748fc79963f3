import type { ConsentEnded, RateLimited, TokenEnded } from '#rails/bank-data-rail.ts';
import type { Refusal, Unknown } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { refusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import type { AccountState } from './account-state.ts';
import type { AccountsAnswer } from './call-accounts.ts';
import { codeOf, rateLimited } from './rate-limited.ts';
import { readAccountConsent } from './read-account-consent.ts';

type NotRead = Refusal | ConsentEnded | RateLimited | TokenEnded | Unknown;

/** What an answer without data means. A bank's word that a consent ended is checked with the bank. */
export const classifyAccountAnswer = async (
  bank: Bank,
  state: AccountState,
  answer: AccountsAnswer,
): Promise<NotRead> => {
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  const { status } = answer;
  if (status === 429) return rateLimited(bank, answer.retryAfter);
  if (status === 401) return { kind: 'TOKEN_ENDED' };
  if (![400, 403, 404, 409, 422].includes(status))
    return unknown(`The bank answered with status ${status}.`);
  return classifyRefused(bank, state, status, codeOf(bank, answer));
};

const classifyRefused = async (
  bank: Bank,
  state: AccountState,
  status: number,
  code: string | null,
): Promise<NotRead> => {
  if (code !== null && demandsLogin.has(code))
    return { kind: 'CONSENT_ENDED', reason: 'REAUTHENTICATION_NEEDED' };
  if (status === 403 || (code !== null && isAboutConsent.has(code))) {
    const ended = await findConsentEnd(bank, state);
    if (ended) return ended;
  }
  if (code !== null && !isUnexpected.has(code)) return refusal(code);
  return unknown(`The bank answered with status ${status} and no reason.`);
};

/** Null: it has not ended, or the bank does not say. */
export const findConsentEnd = async (
  bank: Bank,
  state: AccountState,
): Promise<ConsentEnded | Unknown | RateLimited | null> => {
  const consent = await readAccountConsent(bank, state);
  switch (consent.kind) {
    case 'OK':
      if (consent.status === 'EXPIRED') return { kind: 'CONSENT_ENDED', reason: 'EXPIRED' };
      if (consent.status === 'REVOKED' || consent.status === 'REJECTED')
        return { kind: 'CONSENT_ENDED', reason: 'REVOKED' };
      return null;
    case 'REFUSED':
      // The bank does not know it any more: it was deleted there.
      return { kind: 'CONSENT_ENDED', reason: 'REVOKED' };
    default:
      return consent;
  }
};

const demandsLogin = new Set(['U028', 'UK.OBIE.Reauthenticate']);
const isAboutConsent = new Set(['U009', 'UK.OBIE.Resource.InvalidConsentStatus']);
const isUnexpected = new Set(['U000', 'UK.OBIE.UnexpectedError']);

import { limits } from '#simulator/limits.ts';
import type { Bank, BankStore } from '../bank.ts';
import { magicOf } from '../magic-logins.ts';
import type { Consent, ConsentTerms, KeyClaim, StandardVersion } from '../model.ts';
import { badRequest, forbidden, Refusal } from '../refusal.ts';
import type { OrderKind } from './order-kinds.ts';

export const createConsent = async (
  { profile, tools }: Bank,
  { consentPrefix, amountMember }: OrderKind,
  terms: ConsentTerms,
  claim: KeyClaim,
): Promise<Consent> => {
  const { store, clock, random } = tools;
  const now = clock.now();
  const consent: Consent = {
    ...terms,
    bankId: claim.bankId,
    id: `${consentPrefix}${random.id()}`,
    clientId: claim.clientId,
    status: 'AWAU',
    createdAt: now,
    statusUpdatedAt: now,
    clockOffsetMs: 0,
  };
  const isOverLimit = terms.amountPence > profile.limitPence;
  if (!isOverLimit && (await store.createConsent(consent, claim))) return consent;
  const earlier = await answerForKey(store, claim);
  if (earlier === undefined && isOverLimit) throw overLimit(amountMember);
  const known = await store.findConsent(claim.bankId, earlier ?? '');
  if (!known) throw new Error('the consent of an idempotency key was not found');
  return known;
};

const overLimit = (member: string) => {
  const path = `Data.Initiation.${member}.Amount`;
  return badRequest('AM14', 'The amount is above the limit of this bank for one payment.', path);
};

export const confirmFunds = async (
  { profile, tools }: Bank,
  version: StandardVersion,
  authorisedConsentId: string,
  consentId: string,
): Promise<{ readonly available: boolean; readonly at: number }> => {
  const consent = await tools.store.findConsent(profile.id, consentId);
  if (consent?.version !== version)
    throw badRequest('U011', 'There is no such consent.', 'ConsentId');
  if (consentId !== authorisedConsentId) {
    throw forbidden('The access token was given for another consent.');
  }
  if (consent.status !== 'AUTH' || !consent.debtor) {
    throw badRequest('U009', `The consent has status ${consent.status}, not AUTH.`, 'ConsentId');
  }
  const at = tools.clock.now();
  const hasFunds = magicOf(consent.login).fundsAvailable;
  return { available: hasFunds && (await holdsEnough(tools, consent)), at };
};

// Whether the account that pays holds the amount, or may be overdrawn.
export const holdsEnough = async (
  { store, clock }: Bank['tools'],
  { bankId, debtor, amountPence }: Consent,
): Promise<boolean> => {
  if (!debtor || debtor.mayOverdraw) return true;
  const [account] = await store.accountsById(bankId, [debtor.id], clock.now());
  return account !== undefined && account.balancePence >= amountPence;
};

// The resource of an earlier request with this key, if its body was the same.
export const answerForKey = async (
  store: BankStore,
  claim: KeyClaim,
): Promise<string | undefined> => {
  const holder = await store.holderOfKey(claim);
  if (!holder) return undefined;
  if (holder.bodyHash === claim.bodyHash) return holder.resourceId;
  const message = 'This x-idempotency-key was used with another body.';
  throw new Refusal(422, [{ code: 'U029', message, path: 'x-idempotency-key' }]);
};

// Of a payment or of account information.
type Authorisable = { readonly status: string; readonly createdAt: number };

export const mayBeAuthorised = (consent: Authorisable | undefined, now: number): boolean => {
  if (consent?.status !== 'AWAU') return false;
  return now - consent.createdAt < limits.consentAuthorisableMs;
};

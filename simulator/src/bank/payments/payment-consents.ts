import { limits } from '#simulator/limits.ts';
import type { StandardVersion } from '../accounts/model.ts';
import { magicOf } from '../magic-logins.ts';
import type {
  Account,
  BankStore,
  BankTools,
  Caller,
  Consent,
  ConsentTerms,
  KeyClaim,
} from '../ports.ts';
import { badRequest, forbidden, Refusal } from '../refusal.ts';

export const createConsent = async (
  tools: BankTools,
  caller: Caller,
  terms: ConsentTerms,
  claim: KeyClaim,
): Promise<Consent> => {
  const { store } = tools;
  const earlier = await answerForKey(store, claim);
  if (earlier) return store.findConsent(caller.bank.id, earlier).then(present);
  if (terms.amountPence > caller.bank.limitPence) throw overLimit();
  const now = tools.clock.now();
  const consent: Consent = {
    ...terms,
    bankId: caller.bank.id,
    id: `dpc-${tools.random.id()}`,
    clientId: caller.clientId,
    status: 'AWAU',
    statusReason: undefined,
    createdAt: now,
    statusUpdatedAt: now,
    login: undefined,
    interactionId: undefined,
    debtor: undefined,
    clockOffsetMs: 0,
  };
  if (await store.createConsent(consent, claim)) return consent;
  return store.findConsent(caller.bank.id, (await answerForKey(store, claim)) ?? '').then(present);
};

const overLimit = () => {
  const path = 'Data.Initiation.InstructedAmount.Amount';
  return badRequest('AM14', 'The amount is above the limit of this bank for one payment.', path);
};

const present = (consent: Consent | undefined): Consent => {
  if (!consent) throw new Error('the consent of an idempotency key was not found');
  return consent;
};

export const approveConsent = (
  tools: BankTools,
  consent: Consent,
  account: Account,
): Promise<boolean> =>
  tools.store.decide({
    bankId: consent.bankId,
    consentId: consent.id,
    at: tools.clock.now(),
    outcome: { status: 'AUTH', accountId: account.id },
  });

export const declineConsent = (tools: BankTools, consent: Consent): Promise<boolean> => {
  const reason = { code: 'U033', description: 'The customer did not authorise the payment.' };
  return tools.store.decide({
    bankId: consent.bankId,
    consentId: consent.id,
    at: tools.clock.now(),
    outcome: { status: 'RJCT', reason },
  });
};

export const confirmFunds = async (
  tools: BankTools,
  caller: Caller,
  version: StandardVersion,
  authorisedConsentId: string,
  consentId: string,
): Promise<{ readonly available: boolean; readonly at: number }> => {
  const consent = await tools.store.findConsent(caller.bank.id, consentId);
  if (consent?.version !== version)
    throw badRequest('U011', 'There is no such consent.', 'ConsentId');
  if (consentId !== authorisedConsentId) {
    throw forbidden('The access token was given for another consent.');
  }
  if (consent.status !== 'AUTH' || !consent.debtor) {
    throw badRequest('U009', `The consent has status ${consent.status}, not AUTH.`, 'ConsentId');
  }
  const at = tools.clock.now();
  if (!magicOf(consent.login).fundsAvailable) return { available: false, at };
  if (consent.debtor.mayOverdraw) return { available: true, at };
  const balance = await tools.store.balanceOf(consent.debtor, at);
  return { available: balance >= consent.amountPence, at };
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

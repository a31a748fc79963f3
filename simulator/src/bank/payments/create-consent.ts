import type { BankTools, Caller, Consent, ConsentTerms, KeyClaim } from '../ports.ts';
import { badRequest } from '../refusal.ts';
import { answerForKey } from './answer-for-key.ts';

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

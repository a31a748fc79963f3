import type { StandardVersion } from '../accounts/model.ts';
import { magicOf } from '../magic-logins.ts';
import type { BankTools, Caller } from '../ports.ts';
import { badRequest, forbidden } from '../refusal.ts';

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

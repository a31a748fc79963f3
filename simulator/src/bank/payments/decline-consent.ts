import type { BankTools, Consent } from '../ports.ts';

export const declineConsent = (tools: BankTools, consent: Consent): Promise<boolean> => {
  const reason = { code: 'U033', description: 'The customer did not authorise the payment.' };
  return tools.store.decide({
    bankId: consent.bankId,
    consentId: consent.id,
    at: tools.clock.now(),
    outcome: { status: 'RJCT', reason },
  });
};

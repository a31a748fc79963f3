import type { Account, BankTools, Consent } from '../ports.ts';

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

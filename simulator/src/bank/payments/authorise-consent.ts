import { limits } from '#simulator/limits.ts';
import { type MagicLogin, magicOf } from '../magic-logins.ts';
import type { Account, BankTools, Consent } from '../ports.ts';

export const mayBeAuthorised = (consent: Consent | undefined, now: number): consent is Consent => {
  if (consent?.status !== 'AWAU') return false;
  return now - consent.createdAt < limits.consentAuthorisableMs;
};

export type LoggedIn = {
  readonly login: string;
  readonly magic: MagicLogin;
};

export const logIn = async (
  tools: BankTools,
  consent: Consent,
  typedName: string,
  interactionId: string,
): Promise<LoggedIn | undefined> => {
  const login = typedName.trim().slice(0, limits.loginLength).toLowerCase() || 'approve';
  const recorded = await tools.store.recordLogin(consent, login, interactionId);
  return recorded ? { login, magic: magicOf(login) } : undefined;
};

export const approve = (tools: BankTools, consent: Consent, account: Account): Promise<boolean> =>
  tools.store.decide({
    bankId: consent.bankId,
    consentId: consent.id,
    at: tools.clock.now(),
    outcome: { status: 'AUTH', accountId: account.id },
  });

export const decline = (tools: BankTools, consent: Consent): Promise<boolean> => {
  const reason = { code: 'U033', description: 'The customer did not authorise the payment.' };
  return tools.store.decide({
    bankId: consent.bankId,
    consentId: consent.id,
    at: tools.clock.now(),
    outcome: { status: 'RJCT', reason },
  });
};

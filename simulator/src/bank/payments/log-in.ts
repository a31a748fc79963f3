import { limits } from '#simulator/limits.ts';
import { type MagicLogin, magicOf } from '../magic-logins.ts';
import type { BankTools, Consent } from '../ports.ts';

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
  const login = loginNameOf(typedName);
  const recorded = await tools.store.recordLogin(consent, login, interactionId);
  return recorded ? { login, magic: magicOf(login) } : undefined;
};

export const loginNameOf = (typedName: string): string =>
  typedName.trim().slice(0, limits.loginLength).toLowerCase() || 'approve';

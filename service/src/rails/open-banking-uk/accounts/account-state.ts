import type { Authorisation } from '../bank/bank.ts';

/** The rail's memory of one bank link, kept (encrypted) by the module. */
export type AccountState = {
  readonly v: 1;
  readonly kind: 'ACCOUNTS';
  readonly bankId: string;
  readonly version: string;
  readonly interactionId: string;
  readonly consentId: string;
  readonly authorisation?: Authorisation;
  readonly tokens?: AccountTokens;
};

export type AccountTokens = {
  readonly access: string;
  readonly accessEndsAt: number;
  readonly refresh: string | null;
  readonly refreshEndsAt: number | null;
};

export const writeAccountState = (state: AccountState): string => JSON.stringify(state);

/** Null if this connector did not write it. */
export const readAccountState = (text: string): AccountState | null => {
  try {
    const state: unknown = JSON.parse(text);
    return isAccountState(state) ? state : null;
  } catch {
    return null;
  }
};

const texts = ['bankId', 'version', 'interactionId', 'consentId'] as const;

const isAccountState = (state: unknown): state is AccountState => {
  if (typeof state !== 'object' || state === null) return false;
  const members = state as Readonly<Record<string, unknown>>;
  const isOurs = members.v === 1 && members.kind === 'ACCOUNTS';
  return isOurs && texts.every((name) => typeof members[name] === 'string');
};

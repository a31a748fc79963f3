import { limits } from '#simulator/limits.ts';

// Of a payment or of account information.
export type Authorisable = { readonly status: string; readonly createdAt: number };

export const mayBeAuthorised = (consent: Authorisable | undefined, now: number): boolean => {
  if (consent?.status !== 'AWAU') return false;
  return now - consent.createdAt < limits.consentAuthorisableMs;
};

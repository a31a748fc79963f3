import { limits } from '#simulator/limits.ts';
import type { Consent } from '../ports.ts';

export const mayBeAuthorised = (consent: Consent | undefined, now: number): consent is Consent => {
  if (consent?.status !== 'AWAU') return false;
  return now - consent.createdAt < limits.consentAuthorisableMs;
};

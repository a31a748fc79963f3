import type { AccountConsent } from './model.ts';

export type ConsentStanding = AccountConsent['status'] | 'EXPD';

// On the consent's own clock, which control calls may move.
export const consentStanding = (consent: AccountConsent, realNow: number): ConsentStanding => {
  const { status, expiresAt, clockOffsetMs } = consent;
  const mayExpire = status === 'AWAU' || status === 'AUTH';
  const hasExpired = expiresAt !== undefined && expiresAt <= realNow + clockOffsetMs;
  return mayExpire && hasExpired ? 'EXPD' : status;
};

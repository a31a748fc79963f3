import { claimDueAttempts, pollsOf } from '../../core/store/claim-due-attempts.ts';

const bankOf = (alias: string) => `${alias}.environment || ' ' || ${alias}.institution_id`;

export const bankPolls = claimDueAttempts('payment_claim_polls', pollsOf('PAY_BY_BANK', bankOf));

/** As the claim counts calls of one bank. */
export const partnerOf = (environment: string, institutionId: string): string =>
  `${environment} ${institutionId}`;

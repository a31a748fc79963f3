import { claimDueAttempts, pollsOf } from '../../core/store/claim-due-attempts.ts';

// A merchant's own account at the processor may be slow by itself.
const accountOf = (alias: string) => `${alias}.environment || ' ' || ${alias}.merchant_id`;

export const cardWork = {
  polls: claimDueAttempts('payment_claim_card_polls', pollsOf('CARD', accountOf)),
  captures: claimDueAttempts('payment_claim_captures', {
    table: 'attempt',
    at: 'capture_at',
    only: (alias) => `${alias}.method = 'CARD' and ${alias}.capture_at is not null`,
    partnerOf: accountOf,
    work: 'CAPTURE',
  }),
};

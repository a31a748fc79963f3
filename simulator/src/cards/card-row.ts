import type { DisputeEnd } from './model.ts';

export type CardRow = {
  readonly key: string;
  readonly number: string;
  readonly brand: Brand;
  readonly funding: Funding;
  readonly category: 'consumer' | 'commercial';
  readonly country: string;
  readonly threeDs: 'always' | 'if-requested';
  readonly authentication: AuthenticationEnd;
  // A decline code, or `walksAway`; null approves.
  readonly onSession: string | null;
  readonly offSession: string | null;
  readonly offSessionOnceSetUp?: null;
  readonly refund?: {
    readonly becomes: 'succeeded' | 'failed';
    readonly from: 'pending' | 'succeeded';
  };
  readonly dispute?: DisputeEnd;
  readonly does: string;
};

export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'jcb' | 'diners';
type Funding = 'credit' | 'debit' | 'prepaid';

// How an authentication ends: by a challenge, or at once with this answer of the issuer.
type AuthenticationEnd =
  | 'challenge'
  | 'challenge-fails'
  | 'Y'
  | 'A'
  | 'N'
  | 'U'
  | 'R'
  | 'I'
  | 'timeout'
  | 'error'
  | 'not-enrolled'
  | 'not-supported';

export const walksAway = 'customer_walked_away';

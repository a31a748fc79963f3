import type { Brand, CardRow } from '../card-row.ts';
import type { Authentication, RequestThreeDs, TransStatus } from '../model.ts';

export type ChallengeDecision = 'approve' | 'decline' | 'timeout';

type Facts = {
  readonly brand: Brand;
  readonly at: number;
  readonly transactionId: string;
};

type Verdict = {
  readonly result: string;
  readonly resultReason: string | null;
  readonly strength: 'full' | 'attempted' | 'none';
};

const verdicts: Readonly<Record<TransStatus, Verdict>> = {
  Y: { result: 'authenticated', resultReason: null, strength: 'full' },
  A: { result: 'attempt_acknowledged', resultReason: null, strength: 'attempted' },
  N: { result: 'failed', resultReason: null, strength: 'none' },
  U: { result: 'processing_error', resultReason: 'protocol_error', strength: 'none' },
  R: { result: 'failed', resultReason: 'rejected', strength: 'none' },
  I: { result: 'exempted', resultReason: null, strength: 'none' },
};

const indicators = {
  visa: { full: '05', attempted: '06', none: '07' },
  mastercard: { full: '02', attempted: '01', none: '00' },
} as const;

type AuthenticationStep =
  | { readonly next: 'authorise'; readonly authentication: Authentication | null }
  | { readonly next: 'challenge' }
  | { readonly next: 'fail'; readonly authentication: Authentication };

export const authenticate = (
  row: CardRow,
  requested: RequestThreeDs,
  facts: Facts,
): AuthenticationStep => {
  const isWanted = row.threeDs === 'always' || requested !== 'automatic';
  if (!isWanted) return { next: 'authorise', authentication: null };
  switch (row.authentication) {
    case 'challenge':
    case 'challenge-fails':
      return { next: 'challenge' };
    case 'not-enrolled':
      return { next: 'authorise', authentication: notSupported(facts.at, 'card_not_enrolled') };
    case 'not-supported':
      return { next: 'authorise', authentication: notSupported(facts.at, 'network_not_supported') };
    case 'error':
      return { next: 'fail', authentication: withoutAnswer(facts.at, 'protocol_error') };
    case 'timeout':
      return { next: 'authorise', authentication: withoutAnswer(facts.at, 'protocol_error') };
    default:
      return byAnswer(row.authentication, facts);
  }
};

const byAnswer = (transStatus: TransStatus, facts: Facts): AuthenticationStep => {
  const authentication = answered(transStatus, 'frictionless', facts);
  const isRefused = transStatus === 'N' || transStatus === 'R';
  return isRefused ? { next: 'fail', authentication } : { next: 'authorise', authentication };
};

export const concludeChallenge = (
  row: CardRow,
  decision: ChallengeDecision,
  facts: Facts,
): AuthenticationStep => {
  const isPassed = decision === 'approve' && row.authentication !== 'challenge-fails';
  const authentication = answered(isPassed ? 'Y' : 'N', 'challenge', facts);
  if (isPassed) return { next: 'authorise', authentication };
  const resultReason = { approve: null, decline: 'canceled', timeout: 'abandoned' }[decision];
  return { next: 'fail', authentication: { ...authentication, resultReason } };
};

const answered = (
  transStatus: TransStatus,
  flow: 'frictionless' | 'challenge',
  { brand, at, transactionId }: Facts,
): Authentication => {
  const { result, resultReason, strength } = verdicts[transStatus];
  const scheme = brand === 'mastercard' ? indicators.mastercard : indicators.visa;
  return {
    ...{ transStatus, flow, result, resultReason, transactionId, at },
    eci: scheme[strength],
    version: '2.2.0',
    hasLiabilityShift: strength !== 'none',
  };
};

const notSupported = (at: number, resultReason: string): Authentication => ({
  ...nothing,
  result: 'not_supported',
  resultReason,
  at,
});

const withoutAnswer = (at: number, resultReason: string): Authentication => ({
  ...nothing,
  result: 'processing_error',
  resultReason,
  version: '2.2.0',
  at,
});

const nothing = {
  transStatus: null,
  flow: null,
  eci: null,
  transactionId: null,
  version: null,
  hasLiabilityShift: false,
} as const;

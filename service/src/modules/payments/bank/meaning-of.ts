import type { BankStatus } from '#rails/bank-rail.ts';

/** The meaning of a bank's status for the payment (open banking status codes, BANK-8). */
export type Meaning = 'UNDER_WAY' | 'ACCEPTED' | 'SETTLED' | 'REJECTED';

const meanings: Readonly<Record<string, Meaning>> = {
  RCVD: 'UNDER_WAY',
  PDNG: 'UNDER_WAY',
  ACTC: 'UNDER_WAY',
  PATC: 'UNDER_WAY',
  ACCP: 'UNDER_WAY',
  ACFC: 'UNDER_WAY',
  ACSP: 'ACCEPTED',
  ACWC: 'ACCEPTED',
  ACSC: 'SETTLED',
  ACWP: 'SETTLED',
  ACCC: 'SETTLED',
  RJCT: 'REJECTED',
  BLCK: 'REJECTED',
  CANC: 'REJECTED',
};

/** An unknown code changes nothing: the bank is polled again. */
export const meaningOf = ({
  isoCode,
}: Partial<BankStatus> & Pick<BankStatus, 'isoCode'>): Meaning => meanings[isoCode] ?? 'UNDER_WAY';

// Later statuses win over earlier ones; a late report must not turn the payment back.
const ranks = [
  'RCVD',
  'PDNG',
  'ACTC',
  'PATC',
  'ACCP',
  'ACFC',
  'ACSP',
  'ACWC',
  'ACSC',
  'ACWP',
  'ACCC',
];
const lastRank = ranks.length;

const rankOf = (isoCode: string | null): number => {
  if (isoCode === null) return -1;
  return meanings[isoCode] === 'REJECTED' ? lastRank : ranks.indexOf(isoCode);
};

export const isNewer = (reported: string, known: string | null): boolean =>
  rankOf(reported) > rankOf(known);

/** Polling ends after these; a bank that still changes its mind has to report it. */
export const isFinalStatus = (isoCode: string): boolean =>
  ['ACCC', 'RJCT', 'BLCK', 'CANC'].includes(isoCode);

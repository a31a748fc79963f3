/** ISO 20022 payment statuses by the names of the wire, which most have in version 3 too. */
const names = {
  RCVD: 'Received',
  PDNG: 'Pending',
  ACTC: 'AcceptedTechnicalValidation',
  PATC: 'PartiallyAcceptedTechnicalCorrect',
  ACCP: 'AcceptedCustomerProfile',
  ACFC: 'AcceptedFundsChecked',
  ACSP: 'AcceptedSettlementInProcess',
  ACWC: 'AcceptedWithChange',
  // ISO's own spelling, which the standard and its readers copy.
  ACSC: 'AcceptedSettlementCompletedDebitorAccount',
  ACWP: 'AcceptedWithoutPosting',
  ACCC: 'AcceptedSettlementCompletedCreditorAccount',
  BLCK: 'Blocked',
  RJCT: 'Rejected',
  CANC: 'Cancelled',
} as const;

export type IsoCode = keyof typeof names;
export type IsoStatus = {
  /** One of `isoCodes`, or a word of the bank's own. */
  readonly isoCode: string;
  readonly isoName: string;
};

export const isoCodes = Object.keys(names) as readonly IsoCode[];

const codeByText = new Map<string, IsoCode>([
  ...isoCodes.map((code) => [code, code] as const),
  ...isoCodes.map((code) => [names[code], code] as const),
  ['AcceptedSettlementCompleted', 'ACSC'],
  ['AcceptedCreditSettlementCompleted', 'ACCC'],
]);

/**
 * A word that neither version of the standard has is a status too: the rest of its answer is worth keeping,
 * the payment's id above all. Null for what is no word.
 */
export const readIsoStatus = (text: string): IsoStatus | null => {
  const isoCode = codeByText.get(text);
  if (isoCode) return { isoCode, isoName: names[isoCode] };
  return /^\w{1,64}$/.test(text) ? { isoCode: text, isoName: text } : null;
};

export const isKnownStatus = (code: string): boolean => Object.hasOwn(names, code);

export type ConsentStatus =
  | 'AWAITING'
  | 'AUTHORISED'
  | 'CONSUMED'
  | 'REJECTED'
  | 'REVOKED'
  | 'EXPIRED';

/** Of payments and of accounts, in the words of both versions. */
const consentStatuses = new Map<string, ConsentStatus>([
  ['AWAU', 'AWAITING'],
  ['AwaitingAuthorisation', 'AWAITING'],
  ['AUTH', 'AUTHORISED'],
  ['Authorised', 'AUTHORISED'],
  ['COND', 'CONSUMED'],
  ['Consumed', 'CONSUMED'],
  ['RJCT', 'REJECTED'],
  ['Rejected', 'REJECTED'],
  ['CANC', 'REVOKED'],
  ['Revoked', 'REVOKED'],
  ['EXPD', 'EXPIRED'],
  ['Expired', 'EXPIRED'],
]);

export const readConsentStatus = (text: string): ConsentStatus | null =>
  consentStatuses.get(text) ?? null;

/** Statuses whose reason is a failure; elsewhere a reason is only a remark. */
export const isFailedStatus = (code: string): boolean =>
  code === 'RJCT' || code === 'BLCK' || code === 'CANC';

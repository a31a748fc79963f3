/** ISO 20022 payment statuses, the names of the wire, and their names in version 3. */
type StatusRow = { readonly name: string; readonly version3?: string };

const statuses = {
  RCVD: { name: 'Received' },
  PDNG: { name: 'Pending', version3: 'Pending' },
  ACTC: { name: 'AcceptedTechnicalValidation', version3: 'AcceptedTechnicalValidation' },
  PATC: {
    name: 'PartiallyAcceptedTechnicalCorrect',
    version3: 'PartiallyAcceptedTechnicalCorrect',
  },
  ACCP: { name: 'AcceptedCustomerProfile', version3: 'AcceptedCustomerProfile' },
  ACFC: { name: 'AcceptedFundsChecked', version3: 'AcceptedFundsChecked' },
  ACSP: { name: 'AcceptedSettlementInProcess', version3: 'AcceptedSettlementInProcess' },
  ACWC: { name: 'AcceptedWithChange', version3: 'AcceptedWithChange' },
  ACSC: {
    // ISO's own spelling, which the standard and its readers copy.
    name: 'AcceptedSettlementCompletedDebitorAccount',
    version3: 'AcceptedSettlementCompleted',
  },
  ACWP: { name: 'AcceptedWithoutPosting', version3: 'AcceptedWithoutPosting' },
  ACCC: {
    name: 'AcceptedSettlementCompletedCreditorAccount',
    version3: 'AcceptedCreditSettlementCompleted',
  },
  BLCK: { name: 'Blocked' },
  RJCT: { name: 'Rejected', version3: 'Rejected' },
  CANC: { name: 'Cancelled', version3: 'Cancelled' },
} as const satisfies Readonly<Record<string, StatusRow>>;

export type IsoCode = keyof typeof statuses;
export type IsoStatus = { readonly isoCode: IsoCode; readonly isoName: string };

export const isoCodes = Object.keys(statuses) as readonly IsoCode[];

const codeByText = new Map<string, IsoCode>(
  isoCodes.flatMap((code): readonly (readonly [string, IsoCode])[] => {
    const row: StatusRow = statuses[code];
    return row.version3
      ? [
          [code, code],
          [row.version3, code],
        ]
      : [[code, code]];
  }),
);

/** Null for a status that neither version of the standard has. */
export const readIsoStatus = (text: string): IsoStatus | null => {
  const isoCode = codeByText.get(text);
  return isoCode ? { isoCode, isoName: statuses[isoCode].name } : null;
};

export type ConsentStatus = 'AWAITING' | 'AUTHORISED' | 'CONSUMED' | 'ENDED';

const consentStatuses = new Map<string, ConsentStatus>([
  ['AWAU', 'AWAITING'],
  ['AwaitingAuthorisation', 'AWAITING'],
  ['AUTH', 'AUTHORISED'],
  ['Authorised', 'AUTHORISED'],
  ['COND', 'CONSUMED'],
  ['Consumed', 'CONSUMED'],
  ['RJCT', 'ENDED'],
  ['Rejected', 'ENDED'],
  ['CANC', 'ENDED'],
  ['EXPD', 'ENDED'],
  ['Revoked', 'ENDED'],
  ['Expired', 'ENDED'],
]);

export const readConsentStatus = (text: string): ConsentStatus | null =>
  consentStatuses.get(text) ?? null;

/** Statuses whose reason is a failure; elsewhere a reason is only a remark. */
export const isFailedStatus = (code: IsoCode): boolean =>
  code === 'RJCT' || code === 'BLCK' || code === 'CANC';

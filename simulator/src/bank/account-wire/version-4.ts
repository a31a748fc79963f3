import type { ConsentStanding } from '../accounts/consent-standing.ts';
import type { EntryKind } from '../accounts/model.ts';
import type { JsonObject } from '../ports.ts';
import { holderKind, isSavings } from './holder-kind.ts';
import type { WireVersion } from './wire-version.ts';

export const version4: WireVersion = {
  consentStatus: (standing) => standing,
  accountKind: (account, bank) => ({
    AccountCategory: holderKind(account, bank),
    AccountTypeCode: isSavings(account) ? 'SVGS' : 'CACC',
  }),
  balanceTypes: { available: 'ITAV', booked: 'ITBD' },
  lineStatus: ({ isBooked }) => (isBooked ? 'BOOK' : 'PDNG'),
  transactionCode: ({ kind }) => codes[kind],
  errorBody: (_httpStatus, id, reasons) => ({
    Id: id,
    Errors: reasons.map(({ code, message, path }) => ({
      ErrorCode: code,
      Message: message,
      ...(path === undefined ? {} : { Path: path }),
    })),
  }),
  consentReason: (standing) => consentReasons[standing],
};

const codes: Readonly<Record<EntryKind, JsonObject>> = {
  card: { Code: 'CCRD', SubCode: 'POSD' },
  cash: { Code: 'CCRD', SubCode: 'CWDL' },
  directDebit: { Code: 'IDDT', SubCode: 'PMDD' },
  received: { Code: 'RCDT', SubCode: 'DMCT' },
  sent: { Code: 'ICDT', SubCode: 'DMCT' },
  salary: { Code: 'RCDT', SubCode: 'SALA' },
  interest: { Code: 'MCOP', SubCode: 'INTR' },
  fee: { Code: 'MDOP', SubCode: 'CHRG' },
  return: { Code: 'RCDT', SubCode: 'RPCR' },
};

const reasonOf = (code: string, description: string): JsonObject => ({
  StatusReason: [{ StatusReasonCode: code, StatusReasonDescription: description }],
});

const consentReasons: Readonly<Record<ConsentStanding, JsonObject>> = {
  AWAU: reasonOf('U036', 'The consent awaits the customer.'),
  AUTH: {},
  RJCT: reasonOf('U033', 'The customer did not authorise the consent.'),
  CANC: {},
  EXPD: {},
};

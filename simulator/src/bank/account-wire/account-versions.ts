import type { ConsentStanding } from '../accounts/account-consents.ts';
import type { EntryKind, StatementLine } from '../accounts/model.ts';
import type { BankProfile } from '../banks.ts';
import type { Account, JsonObject } from '../ports.ts';
import type { RefusalReason } from '../refusal.ts';

// What the two versions of the standard write differently.
export type WireVersion = {
  readonly consentStatus: (standing: ConsentStanding) => string;
  readonly accountKind: (account: Account, bank: BankProfile) => JsonObject;
  readonly balanceTypes: { readonly available: string; readonly booked: string };
  readonly lineStatus: (line: StatementLine) => string;
  readonly transactionCode: (line: StatementLine) => JsonObject;
  readonly errorBody: (httpStatus: number, id: string, reasons: Reasons) => JsonObject;
  readonly consentReason: (standing: ConsentStanding) => JsonObject;
};

type Reasons = readonly RefusalReason[];

export const version3: WireVersion = {
  consentStatus: (standing) => statuses[standing],
  accountKind: (account, bank) => ({
    AccountType: holderKind(account, bank),
    AccountSubType: isSavings(account) ? 'Savings' : 'CurrentAccount',
  }),
  balanceTypes: { available: 'InterimAvailable', booked: 'InterimBooked' },
  lineStatus: ({ isBooked }) => (isBooked ? 'Booked' : 'Pending'),
  transactionCode: ({ kind }) => codes3[kind],
  errorBody: (httpStatus, id, reasons) => ({
    Code: `${httpStatus} ${httpStatus === 400 ? 'BadRequest' : 'Error'}`,
    Id: id,
    Message: reasons[0]?.message ?? 'The request was refused.',
    Errors: reasons.map(({ code, message, path }) => ({
      ErrorCode: errorCodes[code] ?? 'UK.OBIE.UnexpectedError',
      Message: message,
      ...(path === undefined ? {} : { Path: path }),
    })),
  }),
  consentReason: () => ({}),
};

// Version 3 has no word for a consent that has expired.
const statuses: Readonly<Record<ConsentStanding, string>> = {
  AWAU: 'AwaitingAuthorisation',
  AUTH: 'Authorised',
  RJCT: 'Rejected',
  CANC: 'Revoked',
  EXPD: 'Revoked',
};

const codes3: Readonly<Record<EntryKind, JsonObject>> = {
  card: { Code: 'CustomerCardTransactions', SubCode: 'POSPayment-DebitCard' },
  cash: { Code: 'CustomerCardTransactions', SubCode: 'CashWithdrawal' },
  directDebit: { Code: 'IssuedDirectDebits', SubCode: 'DirectDebitPayment' },
  received: { Code: 'ReceivedCreditTransfers', SubCode: 'DomesticCreditTransfer' },
  sent: { Code: 'IssuedCreditTransfers', SubCode: 'DomesticCreditTransfer' },
  salary: { Code: 'ReceivedCreditTransfers', SubCode: 'PayrollSalaryPayment' },
  interest: { Code: 'MiscellaneousCreditOperations', SubCode: 'Interest' },
  fee: { Code: 'MiscellaneousDebitOperations', SubCode: 'Charges' },
  return: { Code: 'ReceivedCreditTransfers', SubCode: 'ReversalDueToPaymentReturn' },
};

const errorCodes: Readonly<Record<string, string>> = {
  U000: 'UK.OBIE.UnexpectedError',
  U002: 'UK.OBIE.Field.Invalid',
  U003: 'UK.OBIE.Field.InvalidDate',
  U004: 'UK.OBIE.Field.Missing',
  U005: 'UK.OBIE.Field.Unexpected',
  U006: 'UK.OBIE.Header.Invalid',
  U007: 'UK.OBIE.Header.Missing',
  U008: 'UK.OBIE.Resource.ConsentMismatch',
  U009: 'UK.OBIE.Resource.InvalidConsentStatus',
  U010: 'UK.OBIE.Resource.InvalidFormat',
  U011: 'UK.OBIE.Resource.NotFound',
  U015: 'UK.OBIE.Signature.Invalid',
  U016: 'UK.OBIE.Signature.InvalidClaim',
  U017: 'UK.OBIE.Signature.MissingClaim',
  U018: 'UK.OBIE.Signature.Malformed',
  U019: 'UK.OBIE.Signature.Missing',
  U021: 'UK.OBIE.Unsupported.AccountIdentifier',
  U023: 'UK.OBIE.Unsupported.Currency',
  U026: 'UK.OBIE.Unsupported.LocalInstrument',
  U027: 'UK.OBIE.Unsupported.Scheme',
  U028: 'UK.OBIE.Reauthenticate',
  U029: 'UK.OBIE.Rules.ResourceAlreadyExists',
};

export const version4: WireVersion = {
  consentStatus: (standing) => standing,
  accountKind: (account, bank) => ({
    AccountCategory: holderKind(account, bank),
    AccountTypeCode: isSavings(account) ? 'SVGS' : 'CACC',
  }),
  balanceTypes: { available: 'ITAV', booked: 'ITBD' },
  lineStatus: ({ isBooked }) => (isBooked ? 'BOOK' : 'PDNG'),
  transactionCode: ({ kind }) => codes4[kind],
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

const codes4: Readonly<Record<EntryKind, JsonObject>> = {
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

const holderKind = (account: Account, bank: BankProfile): 'Business' | 'Personal' =>
  bank.kind === 'business' || /business/i.test(account.label) ? 'Business' : 'Personal';

const isSavings = (account: Account): boolean => !account.mayOverdraw;

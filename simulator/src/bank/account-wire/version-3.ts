import type { ConsentStanding } from '../accounts/consent-standing.ts';
import type { EntryKind } from '../accounts/model.ts';
import type { JsonObject } from '../ports.ts';
import { holderKind, isSavings } from './holder-kind.ts';
import type { WireVersion } from './wire-version.ts';

export const version3: WireVersion = {
  consentStatus: (standing) => statuses[standing],
  accountKind: (account, bank) => ({
    AccountType: holderKind(account, bank),
    AccountSubType: isSavings(account) ? 'Savings' : 'CurrentAccount',
  }),
  balanceTypes: { available: 'InterimAvailable', booked: 'InterimBooked' },
  lineStatus: ({ isBooked }) => (isBooked ? 'Booked' : 'Pending'),
  transactionCode: ({ kind }) => codes[kind],
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

const codes: Readonly<Record<EntryKind, JsonObject>> = {
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

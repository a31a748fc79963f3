import type { ConsentStanding } from '../accounts/account-consents.ts';
import type { EntryKind, StatementLine } from '../accounts/statement-line.ts';
import type { BankProfile } from '../banks.ts';
import type { Account, Consent, JsonObject } from '../model.ts';
import type { PaymentStatus, StatusReason } from '../payments/schedule.ts';
import type { RefusalReason } from '../refusal.ts';

// What the two versions of the standard write differently.
export type WireVersion = {
  readonly errorBody: (httpStatus: number, id: string, reasons: Reasons) => JsonObject;
  readonly consentStatus: (status: Consent['status'] | ConsentStanding) => string;
  readonly paymentStatus: (status: PaymentStatus) => string;
  // Of an order for a later day: version 3 says only whether it was taken.
  readonly orderStatus: (status: PaymentStatus) => string;
  readonly detailStatus: (status: PaymentStatus) => string;
  // Version 3 gives a reason only in the details of a payment.
  readonly statusReasons: (reason: StatusReason | undefined) => {
    readonly StatusReason?: readonly JsonObject[];
  };
  readonly reasonInDetails: (reason: StatusReason) => JsonObject;
  readonly referenceOf: (remittance: JsonObject | undefined) => string;
  readonly accountKind: (account: Account, bank: BankProfile) => JsonObject;
  readonly balanceTypes: { readonly available: string; readonly booked: string };
  readonly lineStatus: (line: StatementLine) => string;
  readonly transactionCode: (line: StatementLine) => JsonObject;
};

type Reasons = readonly RefusalReason[];

const version3: WireVersion = {
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
  consentStatus: (status) => consentStatuses[status],
  paymentStatus: (status) => paymentStatuses[status],
  orderStatus: (status) => (status === 'RJCT' ? 'InitiationFailed' : 'InitiationCompleted'),
  detailStatus: (status) => detailStatuses[status] ?? paymentStatuses[status],
  statusReasons: () => ({}),
  reasonInDetails: ({ description }) => ({
    StatusReason: 'ProprietaryRejection',
    StatusReasonDescription: description,
  }),
  referenceOf: (remittance) => String(remittance?.Reference ?? remittance?.Unstructured ?? ''),
  accountKind: (account, bank) => ({
    AccountType: holderKind(account, bank),
    AccountSubType: isSavings(account) ? 'Savings' : 'CurrentAccount',
  }),
  balanceTypes: { available: 'InterimAvailable', booked: 'InterimBooked' },
  lineStatus: ({ isBooked }) => (isBooked ? 'Booked' : 'Pending'),
  transactionCode: ({ kind }) => codes3[kind],
};

const version4: WireVersion = {
  errorBody: (_httpStatus, id, reasons) => ({
    Id: id,
    Errors: reasons.map(({ code, message, path }) => ({
      ErrorCode: code,
      Message: message,
      ...(path === undefined ? {} : { Path: path }),
    })),
  }),
  consentStatus: (status) => status,
  paymentStatus: (status) => status,
  orderStatus: (status) => status,
  detailStatus: (status) => status,
  statusReasons: (reason) =>
    reason
      ? {
          StatusReason: [
            { StatusReasonCode: reason.code, StatusReasonDescription: reason.description },
          ],
        }
      : {},
  reasonInDetails: ({ code, description }) => ({
    StatusReason: code,
    StatusReasonDescription: description,
  }),
  referenceOf: (remittance) => {
    const [structured] = (remittance?.Structured ?? []) as readonly JsonObject[];
    const creditor = structured?.CreditorReferenceInformation as JsonObject | undefined;
    const [unstructured] = (remittance?.Unstructured ?? []) as readonly string[];
    return String(creditor?.Reference ?? unstructured ?? '');
  },
  accountKind: (account, bank) => ({
    AccountCategory: holderKind(account, bank),
    AccountTypeCode: isSavings(account) ? 'SVGS' : 'CACC',
  }),
  balanceTypes: { available: 'ITAV', booked: 'ITBD' },
  lineStatus: ({ isBooked }) => (isBooked ? 'BOOK' : 'PDNG'),
  transactionCode: ({ kind }) => codes4[kind],
};

export const wireVersions = { '3.1': version3, '4.0': version4 } as const;

// Version 3 has no word for a consent that has expired.
const consentStatuses: Readonly<Record<Consent['status'] | ConsentStanding, string>> = {
  AWAU: 'AwaitingAuthorisation',
  AUTH: 'Authorised',
  RJCT: 'Rejected',
  COND: 'Consumed',
  CANC: 'Revoked',
  EXPD: 'Revoked',
};

// Version 3 has fewer words: a blocked payment looks like one that is still settling.
const paymentStatuses: Readonly<Record<PaymentStatus, string>> = {
  RCVD: 'Pending',
  PDNG: 'Pending',
  ACTC: 'Pending',
  ACCP: 'Pending',
  ACFC: 'Pending',
  ACSP: 'AcceptedSettlementInProcess',
  ACWC: 'AcceptedSettlementInProcess',
  ACSC: 'AcceptedSettlementCompleted',
  ACCC: 'AcceptedCreditSettlementCompleted',
  ACWP: 'AcceptedWithoutPosting',
  BLCK: 'AcceptedSettlementInProcess',
  RJCT: 'Rejected',
};

const detailStatuses: Partial<Record<PaymentStatus, string>> = {
  RCVD: 'Received',
  ACTC: 'AcceptedTechnicalValidation',
  ACCP: 'AcceptedCustomerProfile',
  ACFC: 'AcceptedFundsChecked',
  ACWC: 'AcceptedWithChange',
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

const holderKind = (account: Account, bank: BankProfile): 'Business' | 'Personal' =>
  bank.kind === 'business' || /business/i.test(account.label) ? 'Business' : 'Personal';

const isSavings = (account: Account): boolean => !account.mayOverdraw;

import {
  version3 as accounts3,
  version4 as accounts4,
  type WireVersion,
} from '../account-wire/account-versions.ts';
import type { PaymentStatus, StatusReason } from '../payments/schedule.ts';
import type { ConsentStatus, JsonObject } from '../ports.ts';

// What the two versions of the standard write differently about payments.
export type PaymentVersion = Pick<WireVersion, 'errorBody'> & {
  readonly consentStatus: (status: ConsentStatus) => string;
  readonly paymentStatus: (status: PaymentStatus) => string;
  readonly detailStatus: (status: PaymentStatus) => string;
  // Version 3 gives a reason only in the details of a payment.
  readonly statusReasons: (reason: StatusReason | undefined) => {
    readonly StatusReason?: readonly JsonObject[];
  };
  readonly reasonInDetails: (reason: StatusReason) => JsonObject;
  readonly referenceOf: (remittance: JsonObject | undefined) => string;
};

const version3: PaymentVersion = {
  errorBody: accounts3.errorBody,
  consentStatus: (status) => consentStatuses[status],
  paymentStatus: (status) => paymentStatuses[status],
  detailStatus: (status) => detailStatuses[status] ?? paymentStatuses[status],
  statusReasons: () => ({}),
  reasonInDetails: ({ description }) => ({
    StatusReason: 'ProprietaryRejection',
    StatusReasonDescription: description,
  }),
  referenceOf: (remittance) => String(remittance?.Reference ?? remittance?.Unstructured ?? ''),
};

const version4: PaymentVersion = {
  errorBody: accounts4.errorBody,
  consentStatus: (status) => status,
  paymentStatus: (status) => status,
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
};

export const paymentVersions = { '3.1': version3, '4.0': version4 } as const;

const consentStatuses: Readonly<Record<ConsentStatus, string>> = {
  AWAU: 'AwaitingAuthorisation',
  AUTH: 'Authorised',
  RJCT: 'Rejected',
  COND: 'Consumed',
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

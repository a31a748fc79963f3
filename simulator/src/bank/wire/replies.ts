import { magicOf } from '../magic-logins.ts';
import { currentStep, type StatusReason, stepsReached } from '../payments/schedule.ts';
import type { Account, Consent, JsonObject, Payment } from '../ports.ts';

const scheme = 'UK.OBIE.SortCodeAccountNumber';

export const consentReply = (consent: Consent, self: string): JsonObject => ({
  Data: defined({
    ConsentId: consent.id,
    CreationDateTime: iso(consent.createdAt),
    Status: consent.status,
    StatusReason: consent.statusReason && [reasonOnWire(consent.statusReason)],
    StatusUpdateDateTime: iso(consent.statusUpdatedAt),
    ReadRefundAccount: consent.wireData.ReadRefundAccount,
    Initiation: consent.wireData.Initiation,
    Authorisation: consent.wireData.Authorisation,
    SCASupportData: consent.wireData.SCASupportData,
    Debtor: debtorOnWire(consent),
  }),
  Risk: consent.wireRisk,
  Links: { Self: self },
  Meta: {},
});

export const paymentReply = (
  payment: Payment,
  consent: Consent,
  now: number,
  self: string,
): JsonObject => {
  const step = currentStep(payment.schedule, { acceptedAt: payment.acceptedAt, now });
  const debtor = debtorOnWire(consent);
  return {
    Data: defined({
      DomesticPaymentId: payment.id,
      ConsentId: payment.consentId,
      CreationDateTime: iso(payment.acceptedAt),
      Status: step.status,
      StatusUpdateDateTime: iso(step.at),
      StatusReason: step.reason && [reasonOnWire(step.reason)],
      Refund: consent.wantsRefundAccount && debtor ? { Account: debtor } : undefined,
      Initiation: consent.wireData.Initiation,
      Debtor: debtor,
    }),
    Links: { Self: self },
    Meta: {},
  };
};

export const paymentDetailsReply = (
  payment: Payment,
  consent: Consent,
  now: number,
  self: string,
): JsonObject => {
  const reached = stepsReached(payment.schedule, { acceptedAt: payment.acceptedAt, now });
  return {
    Data: {
      PaymentStatus: reached.map((step) => ({
        PaymentTransactionId: payment.id,
        Status: step.status,
        StatusUpdateDateTime: iso(step.at),
        StatusDetail: defined({
          LocalInstrument: (consent.wireData.Initiation as JsonObject).LocalInstrument,
          Status: step.status,
          StatusReason: step.reason?.code,
          StatusReasonDescription: step.reason?.description,
        }),
      })),
    },
    Links: { Self: self },
    Meta: {},
  };
};

export const fundsReply = (
  funds: { available: boolean; at: number },
  self: string,
): JsonObject => ({
  Data: {
    FundsAvailableResult: {
      FundsAvailableDateTime: iso(funds.at),
      FundsAvailable: funds.available,
    },
  },
  Links: { Self: self },
  Meta: {},
});

const accountOnWire = (account: Account): JsonObject => ({
  SchemeName: scheme,
  Identification: `${account.sortCode}${account.accountNumber}`,
  Name: account.holderName,
});

const reasonOnWire = (reason: StatusReason): JsonObject => ({
  StatusReasonCode: reason.code,
  StatusReasonDescription: reason.description,
});

const iso = (ms: number): string => new Date(ms).toISOString();

// The standard omits absent members.
const defined = (members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, JsonObject[string]] => {
      return member[1] !== undefined;
    }),
  );

const debtorOnWire = ({ debtor, login }: Consent): JsonObject | undefined =>
  debtor && magicOf(login).showsAccount ? accountOnWire(debtor) : undefined;

import type { Bank } from '../bank.ts';
import { magicOf } from '../magic-logins.ts';
import type { Consent, JsonObject, Payment } from '../model.ts';
import { kindOfConsent } from '../payments/order-kinds.ts';
import { currentStep, stepsReached } from '../payments/schedule.ts';
import { type Call, linkTo } from './call.ts';

export const consentReply = (call: Call, consent: Consent): JsonObject => ({
  Data: defined({
    ConsentId: consent.id,
    CreationDateTime: iso(consent.createdAt),
    Status: call.wire.consentStatus(consent.status),
    ...call.wire.statusReasons(consent.statusReason),
    StatusUpdateDateTime: iso(consent.statusUpdatedAt),
    Permission: consent.wireData.Permission,
    ReadRefundAccount: consent.wireData.ReadRefundAccount,
    Initiation: consent.wireData.Initiation,
    Authorisation: consent.wireData.Authorisation,
    SCASupportData: consent.wireData.SCASupportData,
    Debtor: debtorOnWire(call.bank, consent),
  }),
  Risk: consent.wireRisk,
  Links: { Self: linkTo(call, `/${kindOfConsent(consent.id).consents}/${consent.id}`) },
  Meta: {},
});

export const paymentReply = (call: Call, payment: Payment, consent: Consent): JsonObject => {
  const { bank, wire } = call;
  const { givesRefundAccount, showsDebtor } = bank.profile.wire;
  const now = nowOf(call, consent);
  const step = currentStep(payment.schedule, { acceptedAt: payment.acceptedAt, now });
  const account = accountShown(bank, consent);
  const kind = kindOfConsent(consent.id);
  return {
    Data: defined({
      [kind.orderId]: payment.id,
      ConsentId: payment.consentId,
      CreationDateTime: iso(payment.acceptedAt),
      Status: (kind.isLater ? wire.orderStatus : wire.paymentStatus)(step.status),
      StatusUpdateDateTime: iso(step.at),
      ...wire.statusReasons(step.reason),
      Refund:
        consent.wantsRefundAccount && givesRefundAccount && account
          ? { Account: account }
          : undefined,
      Initiation: consent.wireData.Initiation,
      Debtor: showsDebtor ? account : undefined,
    }),
    Links: { Self: linkTo(call, `/${kind.orders}/${payment.id}`) },
    Meta: {},
  };
};

export const paymentDetailsReply = (call: Call, payment: Payment, consent: Consent): JsonObject => {
  const { wire } = call;
  const now = nowOf(call, consent);
  const reached = stepsReached(payment.schedule, { acceptedAt: payment.acceptedAt, now });
  const { orders } = kindOfConsent(consent.id);
  return {
    Data: {
      PaymentStatus: reached.map((step) => ({
        PaymentTransactionId: payment.id,
        Status: wire.detailStatus(step.status),
        StatusUpdateDateTime: iso(step.at),
        StatusDetail: defined({
          LocalInstrument: (consent.wireData.Initiation as JsonObject).LocalInstrument,
          Status: wire.detailStatus(step.status),
          ...(step.reason && wire.reasonInDetails(step.reason)),
        }),
      })),
    },
    Links: { Self: linkTo(call, `/${orders}/${payment.id}/payment-details`) },
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

const accountOnWire = ({ profile }: Bank, account: NonNullable<Consent['debtor']>): JsonObject => ({
  SchemeName: profile.wire.debtorScheme,
  Identification: `${account.sortCode}${account.accountNumber}`,
  Name: account.holderName,
});

const iso = (ms: number): string => new Date(ms).toISOString();

// The standard omits absent members.
const defined = (members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((member): member is [string, JsonObject[string]] => {
      return member[1] !== undefined;
    }),
  );

const debtorOnWire = (bank: Bank, consent: Consent): JsonObject | undefined =>
  bank.profile.wire.showsDebtor ? accountShown(bank, consent) : undefined;

const accountShown = (bank: Bank, { debtor, login }: Consent): JsonObject | undefined => {
  const { showsAccount, showsName } = magicOf(login);
  if (!debtor || !showsAccount) return undefined;
  const account = accountOnWire(bank, debtor);
  const { Name: _, ...unnamed } = account;
  return showsName ? account : unnamed;
};

const nowOf = ({ bank }: Call, consent: Consent): number =>
  bank.tools.clock.now() + consent.clockOffsetMs;

import type { JsonObject } from '../model.ts';

// What a client may order of the account that a customer chooses: a payment now, one on a later day,
// or one on every day of a plan.
export type OrderKind = {
  readonly consents: string;
  readonly orders: string;
  readonly orderId: string;
  readonly consentSchema:
    | 'OBWriteDomesticConsent4'
    | 'OBWriteDomesticScheduledConsent4'
    | 'OBWriteDomesticStandingOrderConsent5';
  readonly orderSchema:
    | 'OBWriteDomestic2'
    | 'OBWriteDomesticScheduled2'
    | 'OBWriteDomesticStandingOrder3';
  // Ids tell what they are of.
  readonly consentPrefix: string;
  readonly orderPrefix: string;
  readonly amountMember: 'InstructedAmount' | 'FirstPaymentAmount';
  readonly isLater: boolean;
};

const payment: OrderKind = {
  consents: 'domestic-payment-consents',
  orders: 'domestic-payments',
  orderId: 'DomesticPaymentId',
  consentSchema: 'OBWriteDomesticConsent4',
  orderSchema: 'OBWriteDomestic2',
  consentPrefix: 'dpc-',
  orderPrefix: 'dp-',
  amountMember: 'InstructedAmount',
  isLater: false,
};

const scheduled: OrderKind = {
  consents: 'domestic-scheduled-payment-consents',
  orders: 'domestic-scheduled-payments',
  orderId: 'DomesticScheduledPaymentId',
  consentSchema: 'OBWriteDomesticScheduledConsent4',
  orderSchema: 'OBWriteDomesticScheduled2',
  consentPrefix: 'dspc-',
  orderPrefix: 'dsp-',
  amountMember: 'InstructedAmount',
  isLater: true,
};

const standing: OrderKind = {
  consents: 'domestic-standing-order-consents',
  orders: 'domestic-standing-orders',
  orderId: 'DomesticStandingOrderId',
  consentSchema: 'OBWriteDomesticStandingOrderConsent5',
  orderSchema: 'OBWriteDomesticStandingOrder3',
  consentPrefix: 'dsoc-',
  orderPrefix: 'dso-',
  amountMember: 'FirstPaymentAmount',
  isLater: true,
};

export const orderKinds = [payment, scheduled, standing] as const;

export const kindOfConsent = (consentId: string): OrderKind =>
  orderKinds.find(({ consentPrefix }) => consentId.startsWith(consentPrefix)) ?? payment;

// The day of a scheduled payment, or the first one of a standing order, which version 4 may leave out.
export const firstDayOf = (initiation: JsonObject): string | undefined => {
  const mandate = initiation.MandateRelatedInformation as JsonObject | undefined;
  const day =
    initiation.RequestedExecutionDateTime ??
    initiation.FirstPaymentDateTime ??
    mandate?.FirstPaymentDateTime;
  return typeof day === 'string' ? day : undefined;
};

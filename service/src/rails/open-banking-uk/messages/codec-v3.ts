import type { Codec } from './codec.ts';
import { readConsent, readError, readFunds, readPayment } from './read-payment-answers.ts';
import { initiationOf, paymentBody, referenceFor, riskOf } from './write-domestic-payment.ts';

/** The standard's version 3.1.11, whose addresses contain v3.1. */
export const codecV3: Codec = {
  consentBody: (order, terms) => {
    const reference = referenceFor(order, terms);
    return JSON.stringify({
      Data: {
        ReadRefundAccount: terms.readRefundAccount ? 'Yes' : 'No',
        Initiation: {
          ...initiationOf(order),
          ...(reference && { RemittanceInformation: { Reference: reference } }),
        },
      },
      // The standard's own spelling: banks of this version know no other.
      Risk: riskOf(order, terms, 'ContractPresentInidicator'),
    });
  },
  paymentBody,
  readConsent,
  readPayment,
  readError,
  readFunds,
};

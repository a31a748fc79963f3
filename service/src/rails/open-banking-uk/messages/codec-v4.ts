import type { Codec } from './codec.ts';
import { readConsent, readError, readFunds, readPayment } from './read-payment-answers.ts';
import { initiationOf, paymentBody, referenceFor, riskOf } from './write-domestic-payment.ts';

/** The standard's version 4.0.1, whose addresses contain v4.0. */
export const codecV4: Codec = {
  consentBody: (order, terms) => {
    const reference = referenceFor(order, terms);
    return JSON.stringify({
      Data: {
        ReadRefundAccount: terms.readRefundAccount ? 'Yes' : 'No',
        Initiation: {
          ...initiationOf(order),
          ...(reference && {
            RemittanceInformation: {
              Structured: [{ CreditorReferenceInformation: { Reference: reference } }],
            },
          }),
        },
      },
      Risk: riskOf(order, terms, 'ContractPresentIndicator'),
    });
  },
  paymentBody,
  readConsent,
  readPayment,
  readError,
  readFunds,
};

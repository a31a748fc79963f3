import { expect } from 'vitest';

/** Every field that POS_PAYMENT_STATUS has of the sale in the test, paid by card (EVENT-6). */
export const posBodies = (merchantId: string, paymentRequestId: string) => {
  const common = {
    eventType: 'POS_PAYMENT_STATUS',
    merchantId,
    customerId: 'T 1',
    consumerId: expect.any(String),
    merchantName: 'Corner Coffee',
    paymentIdempotencyId: expect.any(String),
    status: 'COMPLETED',
    paidAmount: 14.5,
    currency: 'GBP',
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    taxAmount: 0,
    serviceAmount: 0,
    transactionType: 'CARD',
    orderId: 'T 1',
    paymentRequestId,
    errorDescription: '',
    redirectUrlParams: '{}',
    splitBill: false,
    notes: 'Tea',
    customFields: [{ fieldName: 'Till', value: 'Bar', filledBy: 'BUSINESS' }],
  };
  const storeDetails = {
    id: expect.any(String),
    address: expect.anything(),
    locationName: expect.any(String),
  };
  return {
    sale: { ...common, statusDetails: expect.anything(), tipAmount: 2, storeDetails },
    voided: (changes: object) => ({
      ...common,
      statusDetails: null,
      refundId: expect.any(String),
      refundAmount: 4.25,
      ...changes,
    }),
  };
};

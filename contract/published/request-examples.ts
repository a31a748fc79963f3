import { sampleUuid } from './sample-value.ts';

const account = { sortCode: '180002', accountNumber: '00000190', name: 'Ada Lovelace' };

/** Requests that show more than their required members; all others are made from the schema. */
export const requestExamples: Readonly<Record<string, unknown>> = {
  requestPayment: {
    customerId: 'customer-1',
    orderId: 'order-1042',
    amount: 12.5,
    expiresIn: 900_000,
    redirectUrl: 'https://shop.example/thanks',
  },
  chargeCard: {
    customerId: sampleUuid,
    paymentMethodId: sampleUuid,
    captureType: 'AUTO_CAPTURE',
    amount: 12.5,
    orderId: 'order-1042',
  },
  cancelCardPayment: { cancelledReasonDescription: 'Table was free again' },
  requestRefund: { paymentRequestId: sampleUuid, amount: 5, refundNotes: 'Cold coffee' },
  createCustomer: {
    fullName: 'Ada Lovelace',
    email: 'ada@example.com',
    phoneCountryCode: '44',
    phoneNumber: '7700900123',
  },
  updateCustomer: { city: 'London', postcode: 'SW1A 1AA' },
  searchTransactions: { search: 'order-1042', status: ['COMPLETED'], fromDate: '2026-11-01' },
  createWebhookEndpoint: {
    url: 'https://shop.example/webhooks',
    events: ['PAYMENTS_STATUS', 'REFUND_STATUS'],
    description: 'The till',
  },
  updateWebhookEndpoint: { events: ['PAYMENTS_STATUS'], ratePerSecond: 10 },
  replayWebhooks: { onlyMissed: true, from: '2026-11-20T10:00:00.000Z' },
  triggerTestWebhook: { eventType: 'PAYMENTS_STATUS', orderId: 'order-1042', amount: 12.5 },
  revokeBankAuthorisation: { accountAuthId: sampleUuid },
  initiateBankAuthorisation: { redirectUrl: 'https://shop.example/linked' },
  payInSandbox: { method: 'PAY_BY_BANK', outcome: 'COMPLETED' },
  linkInSandbox: { outcome: 'SUCCESS' },
  setWebhookStatus: { status: 'PAUSED' },
  rotateSigningSecret: { overlapHours: 24 },
  promoteSigningSecret: { overlapHours: 24 },
  setSandboxSwitches: { cardsEnabled: true },
  setSandboxTips: {
    enabled: true,
    tipType: 'PERCENTAGE',
    options: [10, 15, 20],
    allowCustom: true,
  },
  setSandboxAmountParts: { taxPercentage: 20, servicePercentage: 12.5 },
  advanceSandboxClock: { advanceMs: 900_000 },
  enterSandboxRefundAccount: { account },
  enterRefundAccount: { account },
  changeMerchant: { accentColour: '#1d4ed8' },
  setMerchantSwitches: { cardsEnabled: true },
  deletePerson: { email: 'ada@example.com' },
  suspendMerchant: { reason: 'Many payers said that nothing was delivered.' },
  setMerchantTips: { enabled: true, tipType: 'FIXED', options: [1, 2, 3], allowCustom: false },
  setMerchantAmountParts: { taxPercentage: 20, servicePercentage: 0 },
  setPayoutSettings: { settlementPeriod: 'DAILY', cutOff: '17:00' },
};

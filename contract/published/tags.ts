import type { ApiAccess, Operation } from '../operation.ts';

/** What the operations under one first part of the path are about, in the order of the reference. */
export const tags = {
  payments: 'Request a payment, charge a saved card, read and search what was paid.',
  'payment-request': 'End a payment request before it is paid.',
  refund: 'Refund a payment, fully or in part, and cancel a refund.',
  customers: 'Customers on file and their saved cards.',
  webhook: 'Where events are sent, what was sent, and how to send it again.',
  payouts: 'What was paid out to the merchant, line by line.',
  institutions: 'Banks that a payer can choose.',
  bank: 'Balances and transactions of accounts that a customer has linked.',
  sandbox: 'Only with a sandbox secret: pay, link, move the clock, change settings.',
  'sdk-payment': 'What pages and apps of payers read, without a secret.',
  cli: 'Who a secret belongs to.',
  operator: 'For the operator of the installation, with an operator secret.',
} as const satisfies Readonly<Record<string, string>>;

/** What is needed first, before all others of its tag in the order of their paths. */
const readFirst: readonly string[] = [
  'requestPayment',
  'getPaymentStatus',
  'searchTransactions',
  'chargeCard',
  'captureCardPayment',
  'cancelCardPayment',
  'requestRefund',
  'createCustomer',
  'createWebhookEndpoint',
  'listWebhookEndpoints',
  'triggerTestWebhook',
  'initiateBankAuthorisation',
  'payInSandbox',
  'listMerchants',
];

/** By path, as published, but what a newcomer needs comes first. */
export const inReadingOrder = (operations: readonly Operation[]): readonly Operation[] => {
  const positionOf = ({ id }: Operation): number =>
    readFirst.includes(id) ? readFirst.indexOf(id) : readFirst.length;
  return operations.toSorted((one, other) => positionOf(one) - positionOf(other));
};

/** Groups the reference by the first part of the path. */
export const tagOf = ({ path }: Operation): string => path.split('/')[2] ?? '';

/** Who may call a published operation. Those of the dashboard are not published. */
export const apiAccess = ({ access, id }: Operation): ApiAccess => {
  if (access === 'member' || access === 'person' || access === 'visitor')
    throw new Error(`${id} belongs to the dashboard`);
  return access;
};

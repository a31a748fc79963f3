import { noPence, pence } from '#kernel/pence.ts';
import { type Attempt, noShare, type Payment } from '../core/payment.ts';
import { nothingYet } from '../core/start-attempt.ts';
import { checkRequest } from '../requests/request-payment.ts';

const now = new Date('2026-05-04T12:00:00Z');
const inAnHour = new Date(now.getTime() + 3_600_000);

const order = { customerId: 'customer-1', orderId: 'order-1', amount: 60, enableTips: false };

/** An open request for £60.00 without attempts, for tests of pure rules. */
export const samplePayment = (changes: Partial<Payment> = {}): Payment => ({
  ...checkRequest(order, 'SANDBOX', () => false),
  tenant: { merchantId: '7f0c7a3e-0000-4000-8000-00000000000a', environment: 'SANDBOX' },
  paymentRequestId: '7f0c7a3e-0000-4000-8000-000000000001',
  kind: 'CHECKOUT',
  status: 'OPEN',
  version: 1,
  amountPence: pence(6000),
  parts: { taxPence: noPence, servicePence: noPence },
  taxPercentage: 0,
  servicePercentage: 0,
  paidPence: noPence,
  fixedTipPence: null,
  secretId: '7f0c7a3e-0000-4000-8000-000000000002',
  cardsEnabled: true,
  expiresInMs: 3_600_000,
  timeExtensions: 0,
  expiresBusinessAt: inAnHour,
  liveAttemptCount: 0,
  eventSequence: 0,
  createdAt: now,
  updatedAt: now,
  merchant: {
    name: 'Corner Coffee',
    categoryCode: '5812',
    completedAtSettlement: false,
    signsEveryReturn: false,
    repeatsCompleted: false,
    isSuspended: false,
    avatarUrl: null,
    accentColour: null,
    logoUrl: null,
    support: { email: null, phone: null, url: null },
  },
  tips: null,
  store: { id: '7f0c7a3e-0000-4000-8000-000000000003', locationName: 'Camden', address: '' },
  attempts: [],
  now,
  readAtMs: 0,
  clockOffsetMs: 0,
  ...changes,
});

/** An attempt by bank for £60.00 whose payer is at the bank. */
export const sampleAttempt = (changes: Partial<Attempt> = {}): Attempt => ({
  ...nothingYet,
  attemptId: '7f0c7a3e-0000-4000-8000-000000000004',
  position: 1,
  paymentIdempotencyId: 'FLR1',
  method: 'PAY_BY_BANK',
  status: 'AWAITING_AUTHORIZATION',
  step: 'AT_BANK',
  institutionId: 'harbour',
  shareId: noShare,
  amountPence: pence(6000),
  tipPence: noPence,
  creditor: { sortCode: '180002', accountNumber: '00000190', name: 'Corner Coffee Ltd' },
  settlesTo: 'STORE_ACCOUNT',
  railStateEncrypted: null,
  consumerName: null,
  applicationUserId: null,
  paymentDevice: null,
  authoriseByBusiness: inAnHour,
  leasedUntil: null,
  pollBusinessAt: null,
  submittedAt: null,
  card: null,
  createdAt: now,
  updatedAt: now,
  ...changes,
});

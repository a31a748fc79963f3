import { expect, it } from 'vitest';
import { pence } from '#kernel/pence.ts';
import {
  expiredStatusBody,
  type PosPaymentStatus,
  paymentsStatusBody,
  posPaymentStatusBody,
  refundStatusBody,
} from './index.ts';

const createdAt = new Date('2026-11-20T10:00:00.000Z');
const updatedAt = new Date('2026-11-20T10:01:00.000Z');
const storeDetails = { id: 's1', address: '1 High Street', locationName: 'DEFAULT' };
const common = {
  merchantId: 'm1',
  customerReference: 'CUST-1',
  consumerId: 'u1',
  merchantName: 'Tea & Co',
  paymentIdempotencyId: 'FLR1',
  statusDetails: {
    status: 'COMPLETED',
    statusUpdateDate: updatedAt,
    isoStatus: { code: 'ACSC', name: 'AcceptedSettlementCompleted' },
  },
  paidPence: pence(100500),
  servicePence: pence(150),
  createdAt,
  updatedAt,
  orderId: 'ORDER-1',
  paymentRequestId: 'p1',
  errorDescription: null,
  redirectUrlParams: { table: '4' },
  splitBill: false,
  notes: null,
} as const;

it('a payment has amounts as text, other numbers as numbers', () => {
  const body = paymentsStatusBody({
    ...common,
    status: 'COMPLETED',
    tipPence: pence(250),
    transactionType: 'OPEN_BANKING',
    storeDetails,
    redirectUrl: null,
    splitOutstandingPence: null,
  });
  expect(JSON.stringify(body)).toBe(
    '{"merchantId":"m1","customerId":"CUST-1","consumerId":"u1","merchantName":"Tea & Co",' +
      '"paymentIdempotencyId":"FLR1","status":"COMPLETED","statusDetails":{"status":"COMPLETED",' +
      '"statusUpdateDate":"2026-11-20T10:01:00.000Z","isoStatus":{"code":"ACSC",' +
      '"name":"AcceptedSettlementCompleted"}},"paidAmount":"1005","tipAmount":"2.5","currency":"GBP",' +
      '"createdAt":"2026-11-20T10:00:00.000Z","updatedAt":"2026-11-20T10:01:00.000Z","taxAmount":0,' +
      '"serviceAmount":1.5,"transactionType":"OPEN_BANKING","storeDetails":{"id":"s1",' +
      '"address":"1 High Street","locationName":"DEFAULT"},"orderId":"ORDER-1",' +
      '"paymentRequestId":"p1","errorDescription":"","redirectUrlParams":"{\\"table\\":\\"4\\"}",' +
      '"redirectUrl":"","splitBill":false,"notes":""}',
  );
});

it('an expiry has the requested amount as a number', () => {
  const body = expiredStatusBody({
    requestedPence: pence(100500),
    ...common,
    storeDetails,
    redirectUrl: 'https://shop.test/done',
  });
  expect(Object.entries(body)).toEqual([
    ['merchantId', 'm1'],
    ['customerId', 'CUST-1'],
    ['status', 'EXPIRED'],
    ['paidAmount', 1005],
    ['currency', 'GBP'],
    ['storeDetails', storeDetails],
    ['orderId', 'ORDER-1'],
    ['paymentRequestId', 'p1'],
    ['redirectUrl', 'https://shop.test/done'],
    ['redirectUrlParams', '{"table":"4"}'],
  ]);
});

it('a refund has numbers', () => {
  const body = refundStatusBody({
    ...common,
    refundId: 'r1',
    status: 'CANCELLED',
    refundPence: pence(1005),
    refundNotes: 'late',
  });
  expect(Object.entries(body)).toEqual([
    ['refundId', 'r1'],
    ['paymentRequestId', 'p1'],
    ['paymentIdempotencyId', 'FLR1'],
    ['status', 'CANCELLED'],
    ['paidAmount', 1005],
    ['refundAmount', 10.05],
    ['currency', 'GBP'],
    ['refundNotes', 'late'],
    ['orderId', 'ORDER-1'],
    ['createdAt', createdAt.toISOString()],
    ['updatedAt', updatedAt.toISOString()],
  ]);
});

it('a void at the terminal has a refundId, a payment has none', () => {
  const pos = { ...common, transactionType: 'CARD', customFields: [] } as const;
  const keys = (payment: PosPaymentStatus) => Object.keys(posPaymentStatusBody(payment));
  const payment = keys({
    ...pos,
    kind: 'PAYMENT',
    status: 'COMPLETED',
    tipPence: pence(0),
    storeDetails,
  });
  const voided = keys({
    ...pos,
    kind: 'VOID',
    status: 'FAILED',
    refundId: 'r1',
    refundPence: pence(1),
  });
  expect(payment.filter((key) => !voided.includes(key))).toEqual(['tipAmount', 'storeDetails']);
  expect(voided.filter((key) => !payment.includes(key))).toEqual(['refundId', 'refundAmount']);
});

import { type BodyOf, type EventType, failures, type triggerTestWebhook } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { type Pence, penceFromPounds, subtractPence } from '#kernel/money.ts';
import {
  type CustomField,
  expiredStatusBody,
  paymentsStatusBody,
  posPaymentStatusBody,
  refundStatusBody,
} from '#modules/events/index.ts';
import type { Store } from '#modules/merchants/index.ts';

export type TestAsked = BodyOf<typeof triggerTestWebhook>;

export type TestWorld = {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly store: Store;
  readonly now: Date;
  readonly consumerId: string;
  readonly resourceId: string;
  readonly paymentRequestId: string;
  readonly paymentIdempotencyId: string;
};

type Shape = 'PAYMENTS_STATUS' | 'REFUND_STATUS' | 'EXPIRED_STATUS';

const posShapes: Readonly<Record<Shape, readonly string[]>> = {
  PAYMENTS_STATUS: ['COMPLETED', 'FAILED', 'EXPIRED'],
  REFUND_STATUS: ['COMPLETED', 'FAILED'],
  EXPIRED_STATUS: ['EXPIRED'],
};

const statuses: Readonly<Record<Exclude<EventType, 'POS_PAYMENT_STATUS'>, readonly string[]>> = {
  PAYMENTS_STATUS: ['COMPLETED', 'PENDING', 'AUTHORIZED', 'FAILED', 'CANCELLED'],
  REFUND_STATUS: ['COMPLETED', 'FAILED', 'CANCELLED'],
  EXPIRED_STATUS: ['EXPIRED'],
};

const defaultPounds = 10;

export type CheckedTest = {
  readonly asked: TestAsked;
  readonly shape: Shape;
  readonly status: string;
  readonly amount: Pence;
  readonly isCard: boolean;
};

/** What may be asked for which event type; 400 names the member that does not fit. */
export const checkTest = (asked: TestAsked): CheckedTest => {
  const isPos = asked.eventType === 'POS_PAYMENT_STATUS';
  if (!isPos && asked.type !== undefined) throw refusal('type', 'is for POS_PAYMENT_STATUS only');
  if (!isPos && asked.customFields !== undefined)
    throw refusal('customFields', 'is for POS_PAYMENT_STATUS only');
  const shape =
    asked.eventType === 'POS_PAYMENT_STATUS' ? (asked.type ?? 'PAYMENTS_STATUS') : asked.eventType;
  const status = statusOf(asked, shape);
  if (status === 'AUTHORIZED' && asked.paymentMethod === 'PAY_BY_BANK')
    throw refusal('status', 'AUTHORIZED is for cards only');
  const amount = penceFromPounds(asked.amount ?? defaultPounds);
  if (amount === null || amount <= 0n)
    throw refusal('amount', 'must be pounds above 0 with at most two decimals');
  return { asked, shape, status, amount, isCard: isCardOf(asked, status, isPos) };
};

const statusOf = (asked: TestAsked, shape: Shape): string => {
  const allowed = asked.eventType === 'POS_PAYMENT_STATUS' ? posShapes[shape] : statuses[shape];
  const [preset = 'COMPLETED'] = allowed;
  if (shape === 'EXPIRED_STATUS' || asked.status === undefined) return preset;
  if (!allowed.includes(asked.status))
    throw refusal('status', `must be one of ${allowed.join(', ')}`);
  return asked.status;
};

/** Unless it is said: what happens to cards only is a card's, and a terminal takes cards. */
const isCardOf = ({ paymentMethod }: TestAsked, status: string, isPos: boolean): boolean =>
  paymentMethod === undefined
    ? isPos || ['AUTHORIZED', 'CANCELLED'].includes(status)
    : paymentMethod === 'CARD';

const refusal = (field: string, words: string): Failure => {
  const message = `${field} ${words}`;
  return new Failure(failures.badRequest, { message: `${message}.`, errors: [{ field, message }] });
};

type IsoStatuses = Readonly<Record<string, { readonly code: string; readonly name: string }>>;

/** As real payments name them: see the rails, and 0051-card-fields-of-a-payment.md for cards. */
const bankIsoStatuses: IsoStatuses = {
  COMPLETED: { code: 'ACSC', name: 'AcceptedSettlementCompletedDebitorAccount' },
  PENDING: { code: 'ACSP', name: 'AcceptedSettlementInProcess' },
  FAILED: { code: 'RJCT', name: 'Rejected' },
};

const cardIsoStatuses: IsoStatuses = {
  AUTHORIZED: { code: 'PDNG', name: 'Pending' },
  COMPLETED: { code: 'ACSC', name: 'AcceptedSettlementCompleted' },
  FAILED: { code: 'RJCT', name: 'Rejected' },
  CANCELLED: { code: 'CANC', name: 'Cancelled' },
};

const customerReference = 'test-customer';

const customFieldsOf = ({ customFields }: TestAsked): readonly CustomField[] =>
  (customFields ?? [{ fieldName: 'Table', value: '12' }]).map(({ fieldName, value }) => ({
    fieldName,
    value,
    filledBy: 'BUSINESS',
  }));

const commonOf = ({ asked, status, amount, isCard }: CheckedTest, world: TestWorld) => {
  const { store, now } = world;
  const isoStatus = (isCard ? cardIsoStatuses : bankIsoStatuses)[status];
  return {
    merchantId: world.merchantId,
    customerReference,
    consumerId: world.consumerId,
    merchantName: world.merchantName,
    paymentIdempotencyId: world.paymentIdempotencyId,
    statusDetails: isoStatus ? { status, statusUpdateDate: now, isoStatus } : null,
    paidPence: amount,
    tipPence: subtractPence(amount, amount),
    createdAt: now,
    updatedAt: now,
    transactionType: isCard ? ('CARD' as const) : ('OPEN_BANKING' as const),
    storeDetails: { id: store.storeId, address: store.address, locationName: store.locationName },
    orderId: asked.orderId ?? 'test-order',
    paymentRequestId: world.paymentRequestId,
    errorDescription: status === 'FAILED' ? 'This is a test of a failed payment.' : null,
    redirectUrl: null,
    redirectUrlParams: {},
    splitBill: false,
    splitOutstandingPence: null,
    notes: null,
  };
};

/** A made-up event of exactly the shape of a real one. */
export const testEventBody = (test: CheckedTest, world: TestWorld): object => {
  const common = commonOf(test, world);
  const refund = { refundId: world.resourceId, refundPence: test.amount };
  if (test.asked.eventType === 'POS_PAYMENT_STATUS') {
    const pos = { ...common, customFields: customFieldsOf(test.asked) };
    return test.shape === 'REFUND_STATUS'
      ? posPaymentStatusBody({
          ...pos,
          ...refund,
          kind: 'VOID',
          status: test.status as 'COMPLETED' | 'FAILED',
        })
      : posPaymentStatusBody({
          ...pos,
          kind: 'PAYMENT',
          status: test.status as 'COMPLETED' | 'FAILED' | 'EXPIRED',
        });
  }
  if (test.shape === 'EXPIRED_STATUS')
    return expiredStatusBody({ ...common, requestedPence: test.amount });
  if (test.shape === 'PAYMENTS_STATUS')
    return paymentsStatusBody({ ...common, status: test.status });
  return refundStatusBody({
    ...common,
    ...refund,
    status: test.status as 'COMPLETED' | 'FAILED' | 'CANCELLED',
    refundNotes: 'Test',
  });
};

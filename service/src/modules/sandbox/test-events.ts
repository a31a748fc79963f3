import type {
  BodyOf,
  triggerTestWebhook as describedTriggerTestWebhook,
  EventType,
} from '@florin/contract';
import { type Pence, penceFromPounds, subtractPence } from '#kernel/pence.ts';
import {
  type CustomField,
  eventsValue,
  expiredStatusBody,
  paymentsStatusBody,
  posPaymentStatusBody,
  refundStatusBody,
  type StatusDetails,
} from '#modules/events/index.ts';
import { findStore, readMerchant, readTenantTime, type Store } from '#modules/merchants/index.ts';
import { wrongField } from '#platform/http/error-reply.ts';
import type { Caller, DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { emitTestEvent, findEvent } from './store.ts';

type TestRequest = BodyOf<typeof describedTriggerTestWebhook>;

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

type CheckedTest = {
  readonly request: TestRequest;
  readonly shape: Shape;
  readonly status: string;
  readonly amount: Pence;
  readonly isCard: boolean;
};

/** What may be requested for each event type; 400 names the member that does not fit. */
const checkTest = (request: TestRequest): CheckedTest => {
  const isPos = request.eventType === 'POS_PAYMENT_STATUS';
  if (!isPos && request.type !== undefined)
    throw wrongField('type', 'is for POS_PAYMENT_STATUS only');
  if (!isPos && request.customFields !== undefined)
    throw wrongField('customFields', 'is for POS_PAYMENT_STATUS only');
  const shape =
    request.eventType === 'POS_PAYMENT_STATUS'
      ? (request.type ?? 'PAYMENTS_STATUS')
      : request.eventType;
  const status = statusOf(request, shape);
  if (status === 'AUTHORIZED' && request.paymentMethod === 'PAY_BY_BANK')
    throw wrongField('status', 'AUTHORIZED is for cards only');
  const amount = penceFromPounds(request.amount ?? defaultPounds);
  if (amount === null || amount <= 0n)
    throw wrongField('amount', 'must be pounds above 0 with at most two decimals');
  return { request, shape, status, amount, isCard: isCardOf(request, status, isPos) };
};

const statusOf = (request: TestRequest, shape: Shape): string => {
  const allowed = request.eventType === 'POS_PAYMENT_STATUS' ? posShapes[shape] : statuses[shape];
  const [preset = 'COMPLETED'] = allowed;
  if (shape === 'EXPIRED_STATUS' || request.status === undefined) return preset;
  if (!allowed.includes(request.status))
    throw wrongField('status', `must be one of ${allowed.join(', ')}`);
  return request.status;
};

/** By default: card events are of a card, and a terminal takes cards. */
const isCardOf = ({ paymentMethod }: TestRequest, status: string, isPos: boolean): boolean =>
  paymentMethod === undefined
    ? isPos || ['AUTHORIZED', 'CANCELLED'].includes(status)
    : paymentMethod === 'CARD';

type TestContext = {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly store: Store;
  readonly now: Date;
  readonly consumerId: string;
  readonly resourceId: string;
  readonly paymentRequestId: string;
  readonly paymentIdempotencyId: string;
};

type IsoStatuses = Readonly<Record<string, { readonly code: string; readonly name: string }>>;

/** As real payments name them: see the rails, and 0030-card-charges.md for cards. */
const bankIsoStatuses: IsoStatuses = {
  COMPLETED: { code: 'ACSC', name: 'AcceptedSettlementCompletedDebitorAccount' },
  PENDING: { code: 'ACSP', name: 'AcceptedSettlementInProcess' },
  FAILED: { code: 'RJCT', name: 'Rejected' },
  CANCELLED: { code: 'CANC', name: 'Cancelled' },
};

const cardIsoStatuses: IsoStatuses = {
  AUTHORIZED: { code: 'PDNG', name: 'Pending' },
  COMPLETED: { code: 'ACSC', name: 'AcceptedSettlementCompleted' },
  FAILED: { code: 'RJCT', name: 'Rejected' },
  CANCELLED: { code: 'CANC', name: 'Cancelled' },
};

const customerReference = 'test-customer';

const customFieldsOf = ({ customFields }: TestRequest): readonly CustomField[] =>
  (customFields ?? [{ fieldName: 'Table', value: '12' }]).map(({ fieldName, value }) => ({
    fieldName,
    value,
    filledBy: 'BUSINESS',
  }));

const pending = { code: 'PDNG', name: 'Pending' };

const detailsOf = ({ status, isCard }: CheckedTest, statusUpdateDate: Date): StatusDetails => {
  const isoStatus = (isCard ? cardIsoStatuses : bankIsoStatuses)[status] ?? pending;
  return { status, statusUpdateDate, isoStatus };
};

const commonOf = ({ request, status, amount, isCard }: CheckedTest, context: TestContext) => {
  const { store, now } = context;
  return {
    merchantId: context.merchantId,
    customerReference,
    consumerId: context.consumerId,
    merchantName: context.merchantName,
    paymentIdempotencyId: context.paymentIdempotencyId,
    paidPence: amount,
    tipPence: subtractPence(amount, amount),
    createdAt: now,
    updatedAt: now,
    transactionType: isCard ? ('CARD' as const) : ('OPEN_BANKING' as const),
    storeDetails: { id: store.storeId, address: store.address, locationName: store.locationName },
    orderId: request.orderId ?? 'test-order',
    paymentRequestId: context.paymentRequestId,
    errorDescription: status === 'FAILED' ? 'This is a test of a failed payment.' : null,
    redirectUrl: null,
    redirectUrlParams: {},
    splitBill: false,
    splitOutstandingPence: null,
    notes: null,
  };
};

/** A made-up event of exactly the shape of a real one. */
const testEventBody = (test: CheckedTest, context: TestContext): object => {
  const common = commonOf(test, context);
  const refund = { refundId: context.resourceId, refundPence: test.amount };
  if (test.request.eventType === 'POS_PAYMENT_STATUS') {
    const statusDetails = test.status === 'EXPIRED' ? null : detailsOf(test, context.now);
    const pos = { ...common, statusDetails, customFields: customFieldsOf(test.request) };
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
    return paymentsStatusBody({
      ...common,
      status: test.status,
      statusDetails: detailsOf(test, context.now),
    });
  return refundStatusBody({
    ...common,
    ...refund,
    status: test.status as 'COMPLETED' | 'FAILED' | 'CANCELLED',
    refundNotes: 'Test',
  });
};

/** An event like a real one, through the same tables, signature and schedule. */
export const triggerTestWebhook = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  { tenant, secretId }: Caller,
  request: TestRequest,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  const { database, ids } = tools;
  const test = checkTest(request);
  const [merchant, store, [time]] = await Promise.all([
    readMerchant(tools, tenant),
    findStore(tools, tenant, null),
    database.tenant(tenant.merchantId, readTenantTime, tenant),
  ]);
  if (!time) throw new Error('the database gave no time');
  const begun = await beginOnce(tools, decideOnce, async () => ids.uuid());
  const eventId = begun.subject;
  const key = { ...tenant, eventId };
  if (begun.isRepeat && (await database.tenant(tenant.merchantId, findEvent, key)).length > 0)
    return triggered;
  const resourceId = ids.uuid();
  const body = testEventBody(test, {
    merchantId: tenant.merchantId,
    merchantName: merchant.businessName,
    store,
    now: time.now,
    resourceId,
    consumerId: ids.uuid(),
    paymentRequestId: test.shape === 'REFUND_STATUS' ? ids.uuid() : resourceId,
    paymentIdempotencyId: `TEST${ids.token(130)}`,
  });
  const draft = {
    eventId,
    eventType: request.eventType,
    resourceId,
    sequence: 1,
    dedupeKey: 'test',
    signingSecretId: secretId,
    isTest: true,
    occurredAt: time.now,
    body,
  };
  const values = { ...tenant, eventType: request.eventType, events: eventsValue([draft]) };
  const [emitted] = await database.tenant(tenant.merchantId, emitTestEvent, values);
  if (!emitted)
    throw wrongField(
      'eventType',
      `${request.eventType} has no active webhook: subscribe to it first`,
    );
  tools.wakeDispatcher(emitted.endpoints);
  return triggered;
};

const triggered = { message: 'Test webhook triggered successfully.' };

import { subtractPence } from '#kernel/pence.ts';
import {
  type CustomField,
  expiredStatusBody,
  paymentsStatusBody,
  posPaymentStatusBody,
  refundStatusBody,
} from '#modules/events/index.ts';
import type { Store } from '#modules/merchants/index.ts';
import type { CheckedTest, TestRequest } from './check-test.ts';

export type TestContext = {
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

const customFieldsOf = ({ customFields }: TestRequest): readonly CustomField[] =>
  (customFields ?? [{ fieldName: 'Table', value: '12' }]).map(({ fieldName, value }) => ({
    fieldName,
    value,
    filledBy: 'BUSINESS',
  }));

const commonOf = ({ request, status, amount, isCard }: CheckedTest, context: TestContext) => {
  const { store, now } = context;
  const isoStatus = (isCard ? cardIsoStatuses : bankIsoStatuses)[status];
  return {
    merchantId: context.merchantId,
    customerReference,
    consumerId: context.consumerId,
    merchantName: context.merchantName,
    paymentIdempotencyId: context.paymentIdempotencyId,
    statusDetails: isoStatus ? { status, statusUpdateDate: now, isoStatus } : null,
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
export const testEventBody = (test: CheckedTest, context: TestContext): object => {
  const common = commonOf(test, context);
  const refund = { refundId: context.resourceId, refundPence: test.amount };
  if (test.request.eventType === 'POS_PAYMENT_STATUS') {
    const pos = { ...common, customFields: customFieldsOf(test.request) };
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

import { noPence, type Pence, poundsNumber } from '#kernel/pence.ts';

export type StoreDetails = {
  readonly id: string;
  readonly address: string;
  readonly locationName: string;
};

export type StatusDetails = {
  readonly status: string;
  readonly statusUpdateDate: Date;
  readonly isoStatus: { readonly code: string; readonly name: string };
};

export type PaymentsStatus = {
  readonly merchantId: string;
  /** The merchant's own, which the wire calls customerId. */
  readonly customerReference: string | null;
  readonly consumerId: string;
  readonly merchantName: string;
  readonly paymentIdempotencyId: string;
  readonly status: string;
  readonly statusDetails: StatusDetails;
  /** Tip included. */
  readonly paidPence: Pence;
  readonly tipPence: Pence;
  readonly taxPence?: Pence;
  readonly servicePence?: Pence;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly transactionType: 'OPEN_BANKING' | 'CARD';
  readonly storeDetails: StoreDetails;
  readonly orderId: string;
  readonly paymentRequestId: string;
  readonly errorDescription: string | null;
  readonly redirectUrlParams: Readonly<Record<string, unknown>>;
  readonly redirectUrl: string | null;
  readonly splitBill: boolean;
  /** Null when the bill is not split. */
  readonly splitOutstandingPence: Pence | null;
  readonly notes: string | null;
};

/** 1005 as "1005", 10.05 as "10.05": text here, though every other amount is a number. */
const amountText = (amount: Pence): string => String(poundsNumber(amount));

/** Receivers of the first interface refuse null where it has text: what is not known is empty (EVENT-3). */
export const paymentsStatusBody = (payment: PaymentsStatus): object => ({
  merchantId: payment.merchantId,
  customerId: payment.customerReference ?? '',
  consumerId: payment.consumerId,
  merchantName: payment.merchantName,
  paymentIdempotencyId: payment.paymentIdempotencyId,
  status: payment.status,
  statusDetails: payment.statusDetails,
  paidAmount: amountText(payment.paidPence),
  tipAmount: amountText(payment.tipPence),
  currency: 'GBP',
  createdAt: payment.createdAt.toISOString(),
  updatedAt: payment.updatedAt.toISOString(),
  taxAmount: poundsNumber(payment.taxPence ?? noPence),
  serviceAmount: poundsNumber(payment.servicePence ?? noPence),
  transactionType: payment.transactionType,
  storeDetails: payment.storeDetails,
  orderId: payment.orderId,
  paymentRequestId: payment.paymentRequestId,
  errorDescription: payment.errorDescription ?? '',
  redirectUrlParams: JSON.stringify(payment.redirectUrlParams),
  redirectUrl: payment.redirectUrl ?? '',
  splitBill: payment.splitBill,
  ...(payment.splitOutstandingPence === null
    ? {}
    : { splitOutstandingAmount: amountText(payment.splitOutstandingPence) }),
  notes: payment.notes ?? '',
});

export type ExpiredStatus = {
  readonly merchantId: string;
  readonly customerReference: string | null;
  readonly requestedPence: Pence;
  readonly storeDetails: StoreDetails;
  readonly orderId: string;
  readonly paymentRequestId: string;
  readonly redirectUrl: string | null;
  readonly redirectUrlParams: Readonly<Record<string, unknown>>;
};

export const expiredStatusBody = (request: ExpiredStatus): object => ({
  merchantId: request.merchantId,
  customerId: request.customerReference ?? '',
  status: 'EXPIRED',
  paidAmount: poundsNumber(request.requestedPence),
  currency: 'GBP',
  storeDetails: request.storeDetails,
  orderId: request.orderId,
  paymentRequestId: request.paymentRequestId,
  redirectUrl: request.redirectUrl ?? '',
  redirectUrlParams: JSON.stringify(request.redirectUrlParams),
});

export type CustomField = {
  readonly fieldName: string;
  readonly value: string;
  readonly filledBy: 'BUSINESS';
};

/** What a void has of the payment that it voids. */
export type VoidedSale = Pick<
  PosCommon,
  | 'customerReference'
  | 'consumerId'
  | 'merchantName'
  | 'redirectUrlParams'
  | 'notes'
  | 'customFields'
> & { readonly taxPence: Pence; readonly servicePence: Pence };

type PosCommon = {
  readonly merchantId: string;
  readonly customerReference: string | null;
  readonly consumerId: string;
  readonly merchantName: string;
  /** Empty for a sale that expired before a payer chose how to pay, like transactionType. */
  readonly paymentIdempotencyId: string;
  readonly statusDetails: StatusDetails | null;
  readonly paidPence: Pence;
  readonly taxPence?: Pence;
  readonly servicePence?: Pence;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly transactionType: 'OPEN_BANKING' | 'CARD' | '';
  readonly orderId: string;
  readonly paymentRequestId: string;
  readonly errorDescription: string | null;
  readonly redirectUrlParams: Readonly<Record<string, unknown>>;
  readonly splitBill: boolean;
  readonly notes: string | null;
  readonly customFields: readonly CustomField[];
};

/** `refundId` is present in a void and absent in a payment. */
export type PosPaymentStatus = PosCommon &
  (
    | {
        readonly kind: 'PAYMENT';
        readonly status: 'COMPLETED' | 'FAILED' | 'EXPIRED';
        readonly tipPence: Pence;
        readonly storeDetails: StoreDetails;
      }
    | {
        readonly kind: 'VOID';
        readonly status: 'COMPLETED' | 'FAILED';
        readonly refundId: string;
        readonly refundPence: Pence;
      }
  );

export const posPaymentStatusBody = (payment: PosPaymentStatus): object => ({
  merchantId: payment.merchantId,
  customerId: payment.customerReference ?? '',
  consumerId: payment.consumerId,
  merchantName: payment.merchantName,
  paymentIdempotencyId: payment.paymentIdempotencyId,
  ...(payment.kind === 'VOID' ? { refundId: payment.refundId } : {}),
  status: payment.status,
  statusDetails: payment.statusDetails,
  paidAmount: poundsNumber(payment.paidPence),
  ...(payment.kind === 'VOID'
    ? { refundAmount: poundsNumber(payment.refundPence) }
    : { tipAmount: poundsNumber(payment.tipPence) }),
  currency: 'GBP',
  createdAt: payment.createdAt.toISOString(),
  updatedAt: payment.updatedAt.toISOString(),
  taxAmount: poundsNumber(payment.taxPence ?? noPence),
  serviceAmount: poundsNumber(payment.servicePence ?? noPence),
  transactionType: payment.transactionType,
  ...(payment.kind === 'VOID' ? {} : { storeDetails: payment.storeDetails }),
  orderId: payment.orderId,
  paymentRequestId: payment.paymentRequestId,
  errorDescription: payment.errorDescription ?? '',
  redirectUrlParams: JSON.stringify(payment.redirectUrlParams),
  splitBill: payment.splitBill,
  notes: payment.notes ?? '',
  customFields: payment.customFields,
});

/** As a merchant's receiver reads at which till it was. */
export const tillFields = (tillName: string | null): readonly CustomField[] =>
  tillName === null ? [] : [{ fieldName: 'Till', value: tillName, filledBy: 'BUSINESS' }];

export type RefundStatus = {
  readonly refundId: string;
  readonly paymentRequestId: string;
  readonly paymentIdempotencyId: string;
  readonly status: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  readonly paidPence: Pence;
  readonly refundPence: Pence;
  readonly refundNotes: string | null;
  readonly orderId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const refundStatusBody = (refund: RefundStatus): object => ({
  refundId: refund.refundId,
  paymentRequestId: refund.paymentRequestId,
  paymentIdempotencyId: refund.paymentIdempotencyId,
  status: refund.status,
  paidAmount: poundsNumber(refund.paidPence),
  refundAmount: poundsNumber(refund.refundPence),
  currency: 'GBP',
  refundNotes: refund.refundNotes ?? '',
  orderId: refund.orderId,
  createdAt: refund.createdAt.toISOString(),
  updatedAt: refund.updatedAt.toISOString(),
});

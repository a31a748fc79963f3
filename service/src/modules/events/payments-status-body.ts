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
  readonly consumerId: string | null;
  readonly merchantName: string;
  readonly paymentIdempotencyId: string;
  readonly status: string;
  readonly statusDetails: StatusDetails | null;
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

export const paymentsStatusBody = (payment: PaymentsStatus): object => ({
  merchantId: payment.merchantId,
  customerId: payment.customerReference,
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
  errorDescription: payment.errorDescription,
  redirectUrlParams: JSON.stringify(payment.redirectUrlParams),
  redirectUrl: payment.redirectUrl,
  splitBill: payment.splitBill,
  ...(payment.splitOutstandingPence === null
    ? {}
    : { splitOutstandingAmount: amountText(payment.splitOutstandingPence) }),
  notes: payment.notes,
});

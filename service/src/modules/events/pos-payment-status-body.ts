import { noPence, type Pence, poundsNumber } from '#kernel/pence.ts';
import type { StatusDetails, StoreDetails } from './payments-status-body.ts';

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
  readonly consumerId: string | null;
  readonly merchantName: string;
  /** Null for a sale that expired before a payer chose how to pay, like transactionType. */
  readonly paymentIdempotencyId: string | null;
  readonly statusDetails: StatusDetails | null;
  readonly paidPence: Pence;
  readonly taxPence?: Pence;
  readonly servicePence?: Pence;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly transactionType: 'OPEN_BANKING' | 'CARD' | null;
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
  customerId: payment.customerReference,
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
  errorDescription: payment.errorDescription,
  redirectUrlParams: JSON.stringify(payment.redirectUrlParams),
  splitBill: payment.splitBill,
  notes: payment.notes,
  customFields: payment.customFields,
});

/** As a merchant's receiver reads at which till it was. */
export const tillFields = (tillName: string | null): readonly CustomField[] =>
  tillName === null ? [] : [{ fieldName: 'Till', value: tillName, filledBy: 'BUSINESS' }];

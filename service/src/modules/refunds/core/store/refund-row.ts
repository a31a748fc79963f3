import type { Environment } from '#kernel/environment.ts';
import { pence } from '#kernel/pence.ts';
import { tillFields, type VoidedSale } from '#modules/events/index.ts';
import type { Refund } from '../refund.ts';

export type RefundRow = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly refund_id: string;
  readonly payment_request_id: string;
  readonly attempt_id: string;
  readonly payment_idempotency_id: string;
  readonly order_id: string;
  readonly store_id: string;
  readonly secret_id: string;
  readonly method: Refund['method'];
  readonly status: Refund['status'];
  readonly step: Refund['step'];
  readonly waits_for: Refund['waitsFor'];
  readonly version: number;
  readonly amount_pence: bigint;
  readonly paid_pence: bigint;
  readonly notes: string | null;
  readonly sale: SaleRow | null;
  readonly account_encrypted: Buffer | null;
  readonly end_to_end_id: string | null;
  readonly rail_state_encrypted: Buffer | null;
  readonly rail_reference: string | null;
  readonly error_code: string | null;
  readonly error_description: string | null;
  readonly event_sequence: number;
  readonly poll_count: number;
  readonly due_business_at: Date | null;
  readonly handed_over_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly now: Date;
};

type SaleRow = Omit<VoidedSale, 'customFields' | 'taxPence' | 'servicePence'> & {
  readonly tillName: string;
  readonly taxPence: string;
  readonly servicePence: string;
};

const saleOf = ({ tillName, taxPence, servicePence, ...row }: SaleRow): VoidedSale => ({
  ...row,
  taxPence: pence(BigInt(taxPence)),
  servicePence: pence(BigInt(servicePence)),
  customFields: tillFields(tillName),
});

export const refundOf = (row: RefundRow): Refund => ({
  tenant: { merchantId: row.merchant_id, environment: row.environment },
  refundId: row.refund_id,
  paymentRequestId: row.payment_request_id,
  attemptId: row.attempt_id,
  paymentIdempotencyId: row.payment_idempotency_id,
  orderId: row.order_id,
  storeId: row.store_id,
  secretId: row.secret_id,
  method: row.method,
  status: row.status,
  step: row.step,
  waitsFor: row.waits_for,
  version: row.version,
  amountPence: pence(row.amount_pence),
  paidPence: pence(row.paid_pence),
  notes: row.notes,
  sale: row.sale && saleOf(row.sale),
  accountEncrypted: row.account_encrypted,
  endToEndId: row.end_to_end_id,
  railStateEncrypted: row.rail_state_encrypted,
  railReference: row.rail_reference,
  errorCode: row.error_code,
  errorDescription: row.error_description,
  eventSequence: row.event_sequence,
  pollCount: row.poll_count,
  dueBusinessAt: row.due_business_at,
  handedOverAt: row.handed_over_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  now: row.now,
});

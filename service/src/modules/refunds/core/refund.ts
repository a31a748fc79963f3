import type { Tenant } from '#kernel/environment.ts';
import type { Pence } from '#kernel/pence.ts';
import type { VoidedSale } from '#modules/events/index.ts';
import type { RefundStatus } from './refund-lifecycle.ts';

export type Refund = {
  readonly tenant: Tenant;
  readonly refundId: string;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  readonly paymentIdempotencyId: string;
  readonly orderId: string;
  readonly storeId: string;
  readonly secretId: string;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly status: RefundStatus;
  /** WAITING: it can be cancelled. HANDED_OVER: the bank or processor has it, or is about to. */
  readonly step: 'WAITING' | 'HANDED_OVER' | 'ENDED';
  readonly waitsFor: WaitsFor | null;
  readonly version: number;
  readonly amountPence: Pence;
  /** The paid amount, tip included. */
  readonly paidPence: Pence;
  readonly notes: string | null;
  /** What is emitted of a payment that the till made; null for any other. */
  readonly sale: VoidedSale | null;
  readonly accountEncrypted: Buffer | null;
  readonly endToEndId: string | null;
  readonly railStateEncrypted: Buffer | null;
  readonly railReference: string | null;
  readonly errorCode: string | null;
  readonly errorDescription: string | null;
  readonly eventSequence: number;
  readonly pollCount: number;
  readonly dueBusinessAt: Date | null;
  readonly handedOverAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Business time at which it was read. */
  readonly now: Date;
};

export type WaitsFor = 'BALANCE' | 'SETTLEMENT' | 'REFUND_ACCOUNT_NEEDED' | 'OPERATOR';

export const refundTypeOf = ({
  amountPence,
  paidPence,
}: Pick<Refund, 'amountPence' | 'paidPence'>): 'FULL' | 'PARTIAL' =>
  amountPence === paidPence ? 'FULL' : 'PARTIAL';

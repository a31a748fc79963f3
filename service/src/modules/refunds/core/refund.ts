import type { Tenant } from '#kernel/environment.ts';
import { lifecycle } from '#kernel/lifecycle.ts';
import type { Pence } from '#kernel/pence.ts';
import type { VoidedSale } from '#modules/events/index.ts';
import type { Secrets } from '#platform/secrets/open-secrets.ts';
import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';

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

/** REFUND-2. A simulated failure of the sandbox begins, and ends, as FAILED (REFUND-6). */
export const refundLifecycle = lifecycle({
  name: 'refund',
  initial: 'INITIATED',
  alsoStartsAt: ['FAILED'],
  states: ['INITIATED', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  edges: [
    { from: 'INITIATED', trigger: 'prepared', to: 'PENDING' },
    { from: 'INITIATED', trigger: 'cancelled', to: 'CANCELLED' },
    { from: 'INITIATED', trigger: 'paymentReversed', to: 'FAILED' },
    { from: 'PENDING', trigger: 'cancelled', to: 'CANCELLED' },
    { from: 'PENDING', trigger: 'paymentReversed', to: 'FAILED' },
    { from: 'PENDING', trigger: 'settled', to: 'COMPLETED' },
    { from: 'PENDING', trigger: 'rejected', to: 'FAILED' },
    // The bank or the processor had confirmed it, and the money came back.
    { from: 'COMPLETED', trigger: 'returned', to: 'FAILED' },
  ],
});

export type RefundStatus = (typeof refundLifecycle.states)[number];
export type RefundTrigger = (typeof refundLifecycle.edges)[number]['trigger'];

const refundStateContext = (refundId: string) => ({
  table: 'refund',
  row: refundId,
  column: 'rail_state_encrypted',
});

/** The card rail's state of the refund. */
export const encryptRefundState = (secrets: Secrets, refundId: string, state: string): Buffer =>
  secrets.encrypt(state, refundStateContext(refundId));

export const decryptRefundState = (
  secrets: Secrets,
  refund: { readonly refundId: string; readonly railStateEncrypted: Buffer | null },
): string | null =>
  refund.railStateEncrypted &&
  secrets.decryptText(refund.railStateEncrypted, refundStateContext(refund.refundId));

/** The encryption context of a refund's account. */
export const refundAccountContext = (refundId: string) => ({
  table: 'refund',
  row: refundId,
  column: 'account_encrypted',
});

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'refund',
    column: 'account_encrypted',
    key: { refund_id: 'uuid' },
    contextOf: (row) => refundAccountContext(row.refund_id ?? ''),
  }),
  encryptedColumn({
    table: 'refund',
    column: 'rail_state_encrypted',
    key: { refund_id: 'uuid' },
    contextOf: (row) => refundStateContext(row.refund_id ?? ''),
  }),
];

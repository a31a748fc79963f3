import type { Tenant } from '#kernel/environment.ts';
import type { Pence } from '#kernel/pence.ts';
import type { VoidedSale } from '#modules/events/index.ts';
import type { ResolvedCase } from '#modules/operator-cases/index.ts';
import type { RequestTrace } from '#platform/http/request-trace.ts';
import type { Secrets } from '#platform/secrets/open-secrets.ts';
import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import type { Change, RefundStatus } from './change-refunds.ts';

export type Refund = RequestTrace & {
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

type State = Pick<Refund, 'status' | 'step' | 'waitsFor'>;

/** What of a change says which cases end. */
type CaseChange = Pick<Change, 'history'> & {
  readonly before: State;
  readonly refund: State & Pick<Refund, 'refundId'>;
};

/** The cases that end with this change, whether they are open or were never opened. */
export const resolvedCasesOf = (change: CaseChange): readonly ResolvedCase[] => [
  ...accountNeeded(change),
  ...overdue(change),
  ...held(change),
];

/** REFUND_ACCOUNT_NEEDED ends with what the refund waits for: entered, cancelled or failed. */
const accountNeeded = ({ before, refund, history }: CaseChange): readonly ResolvedCase[] => {
  const isResolved =
    before.waitsFor === 'REFUND_ACCOUNT_NEEDED' && refund.waitsFor !== 'REFUND_ACCOUNT_NEEDED';
  if (!isResolved) return [];
  const entered = history.find(({ trigger }) => trigger === 'accountEntered');
  return [
    {
      kind: 'REFUND_ACCOUNT_NEEDED',
      subject: refund.refundId,
      actor: entered?.detail ?? 'Florin',
      resolution: entered ? 'The account was entered.' : `The refund is ${refund.status}.`,
    },
  ];
};

/** REFUND_HELD ends when the refund could be decided, or was cancelled. */
const held = ({ before, refund }: CaseChange): readonly ResolvedCase[] => {
  const { refundId, status, waitsFor } = refund;
  if (before.waitsFor !== 'OPERATOR' || waitsFor === 'OPERATOR') return [];
  const resolution = `The refund is ${status}.`;
  return [{ kind: 'REFUND_HELD', subject: refundId, actor: 'Florin', resolution }];
};

/** REFUND_OVERDUE ends when the bank has said what became of the refund, or of the money it waits for. */
const overdue = ({ before, refund }: CaseChange): readonly ResolvedCase[] => {
  const { refundId, status } = refund;
  const hasArrived = before.waitsFor === 'SETTLEMENT' && refund.waitsFor !== 'SETTLEMENT';
  const isAnswered = before.step === 'HANDED_OVER' && status !== before.status;
  if (!hasArrived && !isAnswered) return [];
  const resolution = `The refund is ${status}.`;
  return [{ kind: 'REFUND_OVERDUE', subject: refundId, actor: 'Florin', resolution }];
};

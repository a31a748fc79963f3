import type { Tenant } from '#kernel/environment.ts';
import { lifecycle } from '#kernel/lifecycle.ts';

/** What only a person can resolve: opened once, open until resolved. */
export type OperatorCase = {
  readonly kind: CaseKind;
  /** The id of an attempt, a dispute, an endpoint; the name of a table; a merchant's account. */
  readonly subject: string;
  readonly description: string;
  readonly evidence: Readonly<Record<string, string | number | boolean | null>>;
};

const caseKinds = [
  'PAYMENT_PENDING_LONG',
  'PAYMENT_BLOCKED',
  'LATE_REFUND_REFUSED',
  'PROCESSOR_CONTRADICTION',
  'AMOUNT_DIFFERS',
  'DISPUTE_OPENED',
  'DISPUTE_LOST',
  'DELIVERIES_ENDED',
  'ROWS_IN_DEFAULT_PARTITION',
  'BOOKS_UNBALANCED',
  'REFUND_OVERDUE',
  'REFUND_ACCOUNT_NEEDED',
  'BANK_MESSAGE_QUARANTINED',
  'CREDIT_UNMATCHED',
  'BANK_HOLIDAYS_END',
  'CARD_ACCOUNT_KEYS_MISSING',
  'BOOKS_BROKEN',
  'BOOKS_NOT_VERIFIED',
  'REFUND_HELD',
  'ACCOUNT_NEGATIVE',
  'STORE_ACCOUNT_NEEDED',
  'TRANSFER_CONTRADICTION',
  'BANK_BALANCE_DIFFERS',
  'PAYOUT_OVERDUE',
  'DEBIT_UNEXPLAINED',
  'PAYOUT_PARTLY_PAID',
  'BANK_BALANCE_NOT_COMPARED',
  'BANK_NOT_SUBSCRIBED',
  'DATA_RESTORED',
  'PAYMENT_LOST_BY_RESTORE',
] as const;
export type CaseKind = (typeof caseKinds)[number];

export type TenantCase = OperatorCase & { readonly tenant: Tenant };

/** A case is open until a person records its outcome. */
export const caseLifecycle = lifecycle({
  name: 'operator case',
  initial: 'OPEN',
  states: ['OPEN', 'RESOLVED'],
  edges: [{ from: 'OPEN', trigger: 'resolved', to: 'RESOLVED' }],
});

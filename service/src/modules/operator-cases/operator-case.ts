import type { Tenant } from '#kernel/environment.ts';

/** What only a person can resolve: opened once, open until resolved. */
export type OperatorCase = {
  readonly kind: CaseKind;
  /** The subject: the id of an attempt, a dispute, an endpoint, or the name of a table. */
  readonly subject: string;
  readonly description: string;
  readonly evidence: Readonly<Record<string, string | number | boolean | null>>;
};

export const caseKinds = [
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
] as const;
export type CaseKind = (typeof caseKinds)[number];

export type TenantCase = OperatorCase & { readonly tenant: Tenant };

import type { Tenant } from '#kernel/environment.ts';

/** What only a person can resolve: opened once, open until resolved. */
export type OperatorCase = {
  readonly kind: CaseKind;
  /** The id of an attempt, a dispute, an endpoint; the name of a table; a merchant's account. */
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
  'CARD_ACCOUNT_KEYS_MISSING',
  'BOOKS_BROKEN',
  'BOOKS_NOT_VERIFIED',
  'REFUND_HELD',
  'ACCOUNT_NEGATIVE',
  'STORE_ACCOUNT_NEEDED',
  'TRANSFER_CONTRADICTION',
  'BANK_BALANCE_DIFFERS',
  'PAYOUT_OVERDUE',
  'PAYOUT_PARTLY_PAID',
] as const;
export type CaseKind = (typeof caseKinds)[number];

export type TenantCase = OperatorCase & { readonly tenant: Tenant };

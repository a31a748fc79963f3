alter table operator_case drop constraint operator_case_kind_check;
alter table operator_case add constraint operator_case_kind_check check (kind in (
  'PAYMENT_PENDING_LONG', 'PAYMENT_BLOCKED', 'LATE_REFUND_REFUSED', 'PROCESSOR_CONTRADICTION',
  'AMOUNT_DIFFERS', 'DISPUTE_OPENED', 'DISPUTE_LOST', 'DELIVERIES_ENDED',
  'ROWS_IN_DEFAULT_PARTITION', 'BOOKS_UNBALANCED', 'REFUND_OVERDUE', 'BANK_MESSAGE_QUARANTINED',
  'REFUND_ACCOUNT_NEEDED', 'CREDIT_UNMATCHED', 'BANK_HOLIDAYS_END', 'BOOKS_BROKEN',
  'CARD_ACCOUNT_KEYS_MISSING', 'BOOKS_NOT_VERIFIED', 'REFUND_HELD', 'ACCOUNT_NEGATIVE',
  'STORE_ACCOUNT_NEEDED', 'TRANSFER_CONTRADICTION', 'BANK_BALANCE_DIFFERS',
  'PAYOUT_OVERDUE', 'PAYOUT_PARTLY_PAID'));
-- Since when nobody has verified the books of a new installation.
grant select on migration to florin_system;

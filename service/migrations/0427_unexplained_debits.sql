-- Every debit of the collecting account is stored, also one without a reference (PAYOUT-12).
alter table account_debit alter column end_to_end_id drop not null;
-- The credit whose money it took; null: looked for while due_at is set, then nothing explains it.
alter table account_debit add column credit_id uuid;
create unique index account_debit_of_credit on account_debit (credit_id) where credit_id is not null;

update account_debit d set credit_id = pair.credit_id
from (
  select debit.environment, debit.entry_key, credit.credit_id
  from (select environment, entry_key, end_to_end_id, amount_pence, row_number() over
      (partition by environment, end_to_end_id, amount_pence order by entry_key) as nth
    from account_debit where due_at is null) debit
  join (select credit_id, environment, end_to_end_id, amount_pence, row_number() over
      (partition by environment, end_to_end_id, amount_pence order by status desc, credit_id) as nth
    from account_credit where status in ('MATCHED', 'REVERSED')) credit
    using (environment, end_to_end_id, amount_pence, nth)) pair
where d.environment = pair.environment and d.entry_key = pair.entry_key;

alter table operator_case drop constraint operator_case_kind_check;
alter table operator_case add constraint operator_case_kind_check check (kind in (
  'PAYMENT_PENDING_LONG', 'PAYMENT_BLOCKED', 'LATE_REFUND_REFUSED', 'PROCESSOR_CONTRADICTION',
  'AMOUNT_DIFFERS', 'DISPUTE_OPENED', 'DISPUTE_LOST', 'DELIVERIES_ENDED',
  'ROWS_IN_DEFAULT_PARTITION', 'BOOKS_UNBALANCED', 'REFUND_OVERDUE', 'BANK_MESSAGE_QUARANTINED',
  'REFUND_ACCOUNT_NEEDED', 'CREDIT_UNMATCHED', 'BANK_HOLIDAYS_END', 'BOOKS_BROKEN',
  'CARD_ACCOUNT_KEYS_MISSING', 'BOOKS_NOT_VERIFIED', 'REFUND_HELD', 'ACCOUNT_NEGATIVE',
  'STORE_ACCOUNT_NEEDED', 'TRANSFER_CONTRADICTION', 'BANK_BALANCE_DIFFERS',
  'PAYOUT_OVERDUE', 'DEBIT_UNEXPLAINED'))

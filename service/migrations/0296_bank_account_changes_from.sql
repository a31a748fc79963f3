-- From where an account is read again. It moves only when a reading has come to its end: one that
-- stops in the middle has stored the newest transactions and not those before them.
alter table bank_account add column changes_from timestamptz;
update bank_account b set changes_from = least(
  (select min(t.booked_at) from bank_transaction t where t.merchant_id = b.merchant_id
    and t.environment = b.environment and t.account_id = b.account_id and t.status = 'PENDING'),
  (select max(t.booked_at) from bank_transaction t where t.merchant_id = b.merchant_id
    and t.environment = b.environment and t.account_id = b.account_id and t.status = 'BOOKED'))
  where b.refreshed_at is not null;

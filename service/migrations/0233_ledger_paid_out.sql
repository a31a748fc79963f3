-- What has reached the merchants' own accounts by payouts.
alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check check (account in (
  'DUE_FROM_BANK', 'COLLECTING_ACCOUNT', 'STORE_ACCOUNT', 'SETTLED_BY_PROCESSOR',
  'HELD_AT_PROCESSOR', 'MERCHANT_AUTHORISED', 'LATE_MONEY',
  'MERCHANT_UNSETTLED', 'MERCHANT_PAYABLE', 'MERCHANT_PAID_DIRECTLY', 'MERCHANT_PAID_OUT',
  'REFUNDS_IN_TRANSIT', 'RETURNS', 'PAYOUTS_IN_TRANSIT', 'STORE_PAID_OUT', 'FEES'));

with paid as materialized (
  select p.*, gen_random_uuid() as transaction_id from payout p where p.status = 'SETTLED')
insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence, reason,
  resource_id, creditor_account, occurred_at)
select p.merchant_id, p.environment, p.transaction_id, side.account, side.sign * p.amount_pence,
  'PAYOUT_SETTLED_BEFORE', p.payout_id, p.sort_code || p.account_number, p.updated_at
from paid p, (values ('STORE_PAID_OUT', 1), ('MERCHANT_PAID_OUT', -1)) as side (account, sign);

-- One row for each invariant that a proof found broken.
alter table ledger_verification add column broken_invariants jsonb not null default '[]';

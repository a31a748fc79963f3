-- The ledger knows what a card has authorised, and money that came too late.
alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check check (account in (
  'DUE_FROM_BANK', 'COLLECTING_ACCOUNT', 'STORE_ACCOUNT', 'SETTLED_BY_PROCESSOR',
  'HELD_AT_PROCESSOR', 'MERCHANT_AUTHORISED', 'LATE_MONEY',
  'MERCHANT_UNSETTLED', 'MERCHANT_PAYABLE', 'MERCHANT_PAID_DIRECTLY',
  'REFUNDS_IN_TRANSIT', 'RETURNS', 'PAYOUTS_IN_TRANSIT', 'STORE_PAID_OUT', 'FEES'));

-- What is held or came late already.
with held as materialized (
  select a.*, gen_random_uuid() as transaction_id, a.status = 'AUTHORIZED' as is_held
  from attempt a
  where a.method = 'CARD' and (a.status = 'AUTHORIZED'
    or a.step in ('PAID_TOO_LATE', 'REFUNDING_LATE') or a.ended_reason = 'NOT_REFUNDED_LATE'))
insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence, reason,
  resource_id, attempt_id, occurred_at)
select h.merchant_id, h.environment, h.transaction_id,
  case when h.is_held then side.held else side.late end,
  side.sign * (h.amount_pence + h.tip_pence),
  case when h.is_held then 'PAYMENT_AUTHORISED' else 'PAYMENT_LATE' end,
  h.payment_request_id, h.attempt_id, h.created_at
from held h, (values ('HELD_AT_PROCESSOR', 'SETTLED_BY_PROCESSOR', 1),
  ('MERCHANT_AUTHORISED', 'LATE_MONEY', -1)) as side (held, late, sign);

-- What a bank has booked otherwise than ordered, and what is not payable until a case about it is resolved.
alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check check (account in (
  'DUE_FROM_BANK', 'COLLECTING_ACCOUNT', 'STORE_ACCOUNT', 'SETTLED_BY_PROCESSOR',
  'HELD_AT_PROCESSOR', 'MERCHANT_AUTHORISED', 'LATE_MONEY', 'BANK_DIFFERENCES', 'HELD_FOR_CASES',
  'MERCHANT_UNSETTLED', 'MERCHANT_PAYABLE', 'MERCHANT_PAID_DIRECTLY', 'MERCHANT_PAID_OUT',
  'REFUNDS_IN_TRANSIT', 'RETURNS', 'PAYOUTS_IN_TRANSIT', 'STORE_PAID_OUT', 'FEES'));

-- Each entry of the collecting account under the id of an own transfer, once.
create table transfer_entry (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  entry_key text not null,
  end_to_end_id text not null,
  -- DEPOSIT: the transfer was paid to this very account; GIVEN_BACK: and returned from it
  kind text not null check (kind in ('DEBIT', 'RETURN', 'DEPOSIT', 'GIVEN_BACK')),
  amount_pence bigint not null check (amount_pence > 0),
  received_at timestamptz not null default clock_timestamp(),
  primary key (environment, entry_key)
);
create index transfer_entry_of_transfer on transfer_entry (environment, end_to_end_id);
grant select, insert on transfer_entry to florin_system;

alter table transfer
  -- how the books have ended it; null: on its way, or ended before this was kept
  add column outcome text check (outcome in ('SETTLED', 'REJECTED', 'RETURNED')),
  -- booked on BANK_DIFFERENCES and HELD_FOR_CASES because of it
  add column difference_pence bigint not null default 0,
  add column held_pence bigint not null default 0 check (held_pence >= 0);
grant update on transfer to florin_tenant

-- Codes that a merchant prints: each scan begins a payment of its own. Its token is on paper: who scans
-- it knows it, and it opens nothing but the form.
create table payment_code (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  code_id uuid not null,
  token text not null check (token ~ '^[0-9a-z]{20,40}$'),
  store_id uuid not null,
  label text not null check (length(label) between 1 and 30),
  -- fixed; null: the payer enters it, between the other two
  amount_pence bigint check (amount_pence >= 100),
  min_pence bigint check (min_pence >= 100),
  max_pence bigint check (max_pence >= min_pence),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'DISABLED')),
  made_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, code_id),
  check ((amount_pence is null) = (min_pence is not null and max_pence is not null))
);
create index payment_code_newest on payment_code
  (merchant_id, environment, created_at desc, code_id desc);
select protect_tenant_table('payment_code', 'select, insert, update');

alter table public_id drop constraint public_id_kind_check;
alter table public_id add constraint public_id_kind_check check (kind in (
  'PAYMENT_REQUEST', 'ATTEMPT', 'BANK_STATE', 'BANK_AUTHORISATION', 'BANK_LINK_STATE',
  'BANK_ACCOUNT', 'IMAGE', 'LINK', 'REFUND', 'PAYOUT', 'PAYMENT_CODE')) not valid;

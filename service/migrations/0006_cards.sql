-- A merchant's own account at the card processor, in one environment (MONEY-5).
create table card_account (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- the processor's id of the account: its keys may be replaced, its customers and cards stay
  account_key text not null,
  secret_key_encrypted bytea not null,
  webhook_secret_encrypted bytea not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment)
);
select protect_tenant_table('card_account', 'select, insert, update');

-- A customer as one account at the card processor knows it: made there once.
create table card_customer (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  customer_id uuid not null,
  account_key text not null,
  reference_encrypted bytea not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, customer_id, account_key),
  foreign key (merchant_id, environment, customer_id) references customer
);
select protect_tenant_table('card_customer', 'select, insert, delete');

-- A saved card. Deleted, it keeps neither the processor's reference nor the cardholder's name.
create table card (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  card_id uuid not null,
  customer_id uuid not null,
  account_key text not null,
  -- names the encrypted reference, which moves on to card_detachment as it is
  reference_id uuid not null,
  reference_encrypted bytea,
  -- equal for the same card of the same merchant at the same account; null: the processor sends none
  fingerprint bytea check (length(fingerprint) = 32),
  cardholder_name text,
  brand text not null,
  funding text not null check (funding in ('CREDIT', 'DEBIT', 'PREPAID', 'UNKNOWN')),
  category text check (category in ('consumer', 'commercial')),
  country text,
  last_four text not null check (last_four ~ '^\d{0,4}$'),
  -- MM/YYYY
  expiry text not null,
  recurrence_type text not null default 'unscheduled'
    check (recurrence_type in ('unscheduled', 'recurring', 'installment')),
  network_transaction_id text,
  saved_by_attempt_id uuid not null,
  -- of the proof that stands: the tenant's own time
  authenticated_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, environment, card_id),
  foreign key (merchant_id, environment, customer_id) references customer,
  check ((deleted_at is null) = (reference_encrypted is not null))
);
create unique index card_once on card (merchant_id, environment, customer_id, fingerprint)
  where deleted_at is null;
create index card_newest on card (merchant_id, environment, customer_id, created_at desc, card_id);
select protect_tenant_table('card', 'select, insert, update, delete');

-- The proof that later charges without the payer rely on. It outlives the card, for disputes.
create table card_authentication (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  attempt_id uuid not null,
  card_id uuid not null,
  customer_id uuid not null,
  result text,
  flow text,
  version text,
  eci text,
  ds_trans_id text,
  network_transaction_id text,
  amount_pence bigint not null,
  authenticated_at timestamptz not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, attempt_id)
);
select protect_tenant_table('card_authentication', 'select, insert');

-- Cards and customers to be detached at the processor. A customer who is deleted here is deleted there
-- too, with the name and the address, once no authorisation can be left to capture; until then the
-- reference is kept. Real times: no clock of a sandbox moves them.
create table card_detachment (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  kind text not null default 'CARD' check (kind in ('CARD', 'CUSTOMER')),
  reference_id uuid not null,
  customer_id uuid not null,
  account_key text not null,
  reference_encrypted bytea,
  reason text not null check (reason in
    ('DELETED', 'CUSTOMER_DELETED', 'REPLACED', 'NOT_SAVED', 'NOT_AUTHENTICATED')),
  due_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  attempts int not null default 0,
  last_error text,
  written_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  outcome text check (outcome in ('DETACHED', 'STILL_SAVED', 'DELETED')),
  primary key (merchant_id, environment, reference_id),
  check ((done_at is null) = (reference_encrypted is not null)),
  check ((done_at is null) = (outcome is null))
);
create index card_detachment_due on card_detachment (due_at) where done_at is null;
select protect_tenant_table('card_detachment', 'select, insert');

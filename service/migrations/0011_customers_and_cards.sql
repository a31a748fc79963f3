create table customer (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  customer_id uuid not null,
  full_name text not null check (length(full_name) between 2 and 30),
  email text,
  email_folded text generated always as (lower(email)) stored,
  type text not null default 'INDIVIDUAL' check (type in ('INDIVIDUAL', 'BUSINESS')),
  phone_country_code text,
  phone_number text,
  address text,
  city text,
  postcode text,
  vat_number text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, customer_id),
  check (email is not null or phone_number is not null)
);
create unique index customer_email_once on customer (merchant_id, environment, email_folded)
  where email_folded is not null;
create index customer_newest on customer (merchant_id, environment, created_at desc, customer_id);
select protect_tenant_table('customer', 'select, insert, update, delete');

-- A merchant's own accounts at the card processor, in one environment (MONEY-5). Open work stays with the
-- account that it was made with (CARD-20): former ones keep their keys until they are forgotten.
create table card_account (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- the processor's id of the account: its keys may be replaced, its customers and cards stay
  account_key text not null,
  secret_key_encrypted bytea not null,
  webhook_secret_encrypted bytea not null,
  -- public; null: cards are typed on the processor's own page
  publishable_key text,
  updated_at timestamptz not null default clock_timestamp(),
  -- the account chosen last is in use; null: never, its keys are there for open work alone
  chosen_at timestamptz,
  primary key (merchant_id, environment, account_key)
);
select protect_tenant_table('card_account', 'select, insert, update, delete');

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
create index card_detachment_due on card_detachment (environment, due_at) where done_at is null;
create index card_detachment_done on card_detachment (done_at) where done_at is not null;
select protect_tenant_table('card_detachment', 'select, insert');

-- The reference that a card had before must be detached at the processor. The upsert that replaces it does
-- not see it when two payments save the card concurrently; only `returning old`, newer than PostgreSQL
-- 15, and a trigger do.
create function detach_replaced_reference() returns trigger language plpgsql as $$
begin
  insert into florin.card_detachment (merchant_id, environment, reference_id, customer_id,
    account_key, reference_encrypted, reason)
  values (old.merchant_id, old.environment, old.reference_id, old.customer_id,
    old.account_key, old.reference_encrypted, 'REPLACED');
  return null;
end $$;
create trigger card_reference_replaced after update of reference_id on card
  for each row when (old.reference_id <> new.reference_id)
  execute function detach_replaced_reference();

-- A customer who was deleted: what payments still say about the person is erased by a job, as soon as
-- no payment is under way.
create table erasure (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  customer_id uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  done_at timestamptz,
  primary key (merchant_id, environment, customer_id)
);
create index erasure_due on erasure (environment, due_at) where done_at is null;
-- Erasures that were done long ago are found by their age.
create index erasure_done on erasure (done_at) where done_at is not null;
select protect_tenant_table('erasure', 'select, insert');

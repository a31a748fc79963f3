-- A customer's agreement that a merchant reads accounts of one bank.
create table bank_authorisation (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  authorisation_id uuid not null,
  status text not null check (status in ('OPEN', 'AT_BANK', 'EXCHANGING', 'LINKED',
    'RECONFIRMATION_MISSED', 'LOGIN_NEEDED', 'FAILED', 'CANCELLED', 'EXPIRED', 'REVOKED')),
  version int not null default 1,
  redirect_url text not null,
  callback_params jsonb not null,
  -- signs the way back
  secret_id uuid not null,
  -- of the call that made it, which the bank is told too (WIRE-23)
  request_id uuid,
  institution_id text,
  bank_name text,
  -- names the authorisation when the bank sends the customer back
  oauth_state text,
  starts int not null default 0,
  rail_state_encrypted bytea,
  -- the bank's id of the consent, for support and audit
  consent_reference text,
  ended_reason text,
  -- of the tenant's own time; due_at is the real instant of the one that comes next
  link_expires_at timestamptz not null,
  reconfirm_by timestamptz,
  due_business_at timestamptz,
  due_at timestamptz,
  -- of a step in progress, real time
  leased_until timestamptz,
  refresh_due_at timestamptz,
  refresh_leased_until timestamptz,
  refresh_failures int not null default 0,
  -- as of attempt_poll
  hinted_at timestamptz,
  -- raised by each claim: an older worker stores nothing
  refresh_claims int not null default 0,
  access_ends_at timestamptz,
  -- ended: consent at the bank and data here are still to be removed
  removal_due_at timestamptz,
  removal_leased_until timestamptz,
  removal_failures int not null default 0,
  removal_error text,
  -- the way back may name a person
  forget_due_at timestamptz,
  linked_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, authorisation_id)
);
create index bank_authorisation_due on bank_authorisation
  (environment, due_at) where due_at is not null;
create index bank_authorisation_lease on bank_authorisation
  (environment, leased_until) where leased_until is not null;
create index bank_authorisation_refresh on bank_authorisation
  (environment, refresh_due_at) where refresh_due_at is not null;
create index bank_authorisation_removal on bank_authorisation
  (environment, removal_due_at) where removal_due_at is not null;
create index bank_authorisation_live on bank_authorisation (merchant_id, environment, authorisation_id)
  where ended_at is null;
create index bank_authorisation_forget on bank_authorisation (forget_due_at)
  where forget_due_at is not null;
-- A healthy authorisation is read again within hours too: those that fail are found without reading it.
create index bank_authorisation_failing on bank_authorisation (refresh_due_at)
  where refresh_failures >= 6;
-- It finds the link that a bank's notification names.
create index bank_authorisation_by_consent on bank_authorisation
  (environment, institution_id, consent_reference) where status = 'LINKED';
-- The newest links of a merchant, for its dashboard.
create index bank_authorisation_newest on bank_authorisation
  (merchant_id, environment, created_at, authorisation_id);
select protect_tenant_table('bank_authorisation', 'select, insert, update');

create table bank_authorisation_history (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  authorisation_id uuid not null,
  version int not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  detail text,
  occurred_at timestamptz not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, authorisation_id, version)
);
create trigger bank_authorisation_history_append_only
  before update or delete on bank_authorisation_history
  for each row execute function refuse_change();
select protect_tenant_table('bank_authorisation_history', 'select, insert');

-- An account under the id that it has for this merchant whenever it is linked.
create table bank_account (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  account_id uuid not null,
  institution_id text not null,
  bank_name text not null,
  sort_code text,
  account_number text,
  currency text not null,
  balance numeric(20, 5),
  balance_currency text,
  -- the last time that all was read
  refreshed_at timestamptz,
  -- From where it is read again. It moves only when a reading has come to its end: one that stops in the
  -- middle has stored the newest transactions and not those before them.
  changes_from timestamptz,
  -- Several authorisations may show it: when its newest reading began, when its bank last refused to show it,
  -- and whether what it holds is being removed, so that a new link reads it again.
  read_since timestamptz,
  refused_at timestamptz,
  is_leaving boolean not null default false,
  created_at timestamptz not null,
  primary key (merchant_id, environment, account_id)
);
-- The account that a payout goes to, if it is connected.
create index bank_account_number on bank_account
  (merchant_id, environment, sort_code, account_number);
select protect_tenant_table('bank_account', 'select, insert, update, delete');

-- Which authorisation shows which account, under the id that the bank knows it by there.
create table bank_account_link (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  authorisation_id uuid not null,
  account_id uuid not null,
  bank_account_reference text not null,
  position smallint not null,
  primary key (merchant_id, environment, authorisation_id, account_id),
  foreign key (merchant_id, environment, authorisation_id) references bank_authorisation,
  foreign key (merchant_id, environment, account_id) references bank_account
);
create index bank_account_link_account on bank_account_link (merchant_id, environment, account_id);
select protect_tenant_table('bank_account_link', 'select, insert, update, delete');

create table bank_transaction (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  account_id uuid not null,
  transaction_id text not null,
  booked_at timestamptz not null,
  type text not null check (type in ('CREDIT', 'DEBIT')),
  status text not null check (status in ('BOOKED', 'PENDING')),
  is_mutable boolean not null,
  -- signed; a bank may use more decimals than money has
  amount numeric(20, 5) not null,
  currency text not null,
  description text,
  reference text,
  merchant_name text,
  category text,
  payer jsonb,
  payee jsonb,
  balance numeric(20, 5),
  balance_currency text,
  -- the start of the last refresh that the bank listed it in; kept for PENDING only
  seen_at timestamptz not null,
  -- the reference of a payout, wherever a bank puts it: in the reference or in the text of a line
  payout_reference text generated always as (
    substring(upper(coalesce(reference, '') || ' ' || coalesce(description, ''))
      from 'FPY[0-9A-F]{11}')) stored,
  primary key (merchant_id, environment, account_id, transaction_id)
);
create index bank_transaction_newest on bank_transaction
  (merchant_id, environment, account_id, booked_at desc, transaction_id desc);
create index bank_transaction_pending on bank_transaction (merchant_id, environment, account_id)
  where status = 'PENDING';
create index bank_transaction_payout on bank_transaction
  (merchant_id, environment, payout_reference) where payout_reference is not null;
select protect_tenant_table('bank_transaction', 'select, insert, update, delete');

-- How many transactions an account has on each day of UTC: a page finds its place without counting.
create table bank_transaction_day (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  account_id uuid not null,
  day date not null,
  transactions int not null,
  primary key (merchant_id, environment, account_id, day)
);
select protect_tenant_table('bank_transaction_day', 'select, insert, update, delete');

-- Counted where rows are written: two workers at once could not be counted by either's statement.
create function count_bank_transactions() returns trigger language plpgsql as $$
begin
  insert into florin.bank_transaction_day as d
    (merchant_id, environment, account_id, day, transactions)
  select c.merchant_id, c.environment, c.account_id, c.day, sum(c.rows)
  from (
    select merchant_id, environment, account_id, (booked_at at time zone 'UTC')::date as day,
      case when tg_op = 'DELETE' then -1 else 1 end as rows
    from changed) c
  group by c.merchant_id, c.environment, c.account_id, c.day
  order by c.day
  on conflict (merchant_id, environment, account_id, day)
    do update set transactions = d.transactions + excluded.transactions;
  return null;
end $$;
create function move_bank_transactions() returns trigger language plpgsql as $$
begin
  insert into florin.bank_transaction_day as d
    (merchant_id, environment, account_id, day, transactions)
  select c.merchant_id, c.environment, c.account_id, c.day, sum(c.rows)
  from (
    select merchant_id, environment, account_id, (booked_at at time zone 'UTC')::date as day,
      1 as rows from changed
    union all
    select merchant_id, environment, account_id, (booked_at at time zone 'UTC')::date, -1 from before
    ) c
  group by c.merchant_id, c.environment, c.account_id, c.day
  having sum(c.rows) <> 0
  order by c.day
  on conflict (merchant_id, environment, account_id, day)
    do update set transactions = d.transactions + excluded.transactions;
  return null;
end $$;
create trigger bank_transaction_inserted after insert on bank_transaction
  referencing new table as changed for each statement execute function count_bank_transactions();
create trigger bank_transaction_deleted after delete on bank_transaction
  referencing old table as changed for each statement execute function count_bank_transactions();
create trigger bank_transaction_moved after update on bank_transaction
  referencing new table as changed old table as before
  for each statement execute function move_bank_transactions();

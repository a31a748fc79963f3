-- What search reads, written by the statement that changes an attempt: one narrow row per attempt. It is
-- found by btree only, because row-level security lets no other kind of index be used.
create table transaction_item (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payment_request_id uuid not null,
  position int not null,
  created_at timestamptz not null,
  -- of the attempt; of a completed one what became of it (see attempt_outcome)
  status text not null,
  method text not null,
  store_id uuid not null,
  customer_id uuid,
  total_pence bigint not null,
  -- its bank; a payment by card has none. No index: what is read is bounded instead.
  institution_id text,
  -- each after a space
  words text not null,
  primary key (merchant_id, environment, payment_request_id, position)
) with (fillfactor = 85);
create index transaction_item_newest on transaction_item
  (merchant_id, environment, created_at desc, payment_request_id, position);
create index transaction_item_customer on transaction_item
  (merchant_id, environment, customer_id, created_at desc) where customer_id is not null;
-- A status that few are in, spread over years, is found without reading the days it lies in.
create index transaction_item_status on transaction_item
  (merchant_id, environment, status, created_at desc, payment_request_id, position);
-- Filters are looked at in the index itself, so that few rows are read for a page.
create index transaction_item_amount on transaction_item
  (merchant_id, environment, total_pence, created_at, payment_request_id, position)
  include (status, method, store_id);
select protect_tenant_table('transaction_item', 'select, insert, update');

-- Each word of an attempt, found by prefix. `shared` is how many first letters it has in common with an
-- earlier word of the same attempt: only a longer prefix finds the attempt here for the first time, so
-- that matches are counted without sorting out repeated ones.
create table transaction_word (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  word text collate "C" not null,
  created_at timestamptz not null,
  payment_request_id uuid not null,
  position int not null,
  shared smallint not null,
  primary key (merchant_id, environment, word, created_at, payment_request_id, position)
    include (shared)
);
select protect_tenant_table('transaction_word', 'select, insert');

-- How many attempts of a London day have which status, and their amounts: each change adds rows (-1, +1), a
-- job sums them up. Adding waits for no lock; one row per day would make all payments of a merchant wait in
-- line.
create table transaction_count (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  day date not null,
  count_id bigint generated always as identity,
  store_id uuid not null,
  method text not null,
  status text not null,
  items int not null,
  amount_pence bigint not null,
  is_folded boolean not null default false,
  primary key (merchant_id, environment, day, count_id)
);
create index transaction_count_loose on transaction_count (merchant_id, environment, day)
  where not is_folded;
select protect_tenant_table('transaction_count', 'select, insert');

-- Back from what became of an attempt to its own status.
create function wire_status(status text) returns text language sql immutable parallel safe
return case when status in ('PART_REFUNDED', 'REFUNDED', 'DISPUTED', 'DISPUTE_LOST') then 'COMPLETED'
  else status end;

create function london_day(instant timestamptz) returns date
language sql immutable parallel safe as $$ select (instant at time zone 'Europe/London')::date $$;

create function london_midnight(day date) returns timestamptz
language sql immutable parallel safe as $$ select day::timestamp at time zone 'Europe/London' $$;

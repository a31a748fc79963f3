-- What a merchant's search reads, written by the statement that changes an attempt: one narrow row per
-- attempt, found by btree alone, because row-level security lets no other kind of index be used.
create table transaction_item (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payment_request_id uuid not null,
  position int not null,
  created_at timestamptz not null,
  -- in no index, so that a change of status touches none
  status text not null,
  method text not null,
  store_id uuid not null,
  customer_id uuid,
  total_pence bigint not null,
  words text[] not null,
  primary key (merchant_id, environment, payment_request_id, position)
) with (fillfactor = 85);
create index transaction_item_newest on transaction_item
  (merchant_id, environment, created_at desc, payment_request_id, position);
create index transaction_item_customer on transaction_item
  (merchant_id, environment, customer_id, created_at desc) where customer_id is not null;
select protect_tenant_table('transaction_item', 'select, insert, update');

-- Each word by which an attempt is found, from its beginning. `shared` is how many first characters the
-- word has in common with an earlier word of the same attempt: a search for a longer beginning meets the
-- attempt here for the first time, so that matches are counted once without sorting them out.
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

-- How many attempts of a London day are in which state: appended by each change (-1, +1), folded by a job.
-- Appending waits for nobody, where one row per day would make all payments of a merchant queue.
create table transaction_count (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  day date not null,
  count_id bigint generated always as identity,
  store_id uuid not null,
  method text not null,
  status text not null,
  items int not null,
  is_folded boolean not null default false,
  primary key (merchant_id, environment, day, count_id)
);
create index transaction_count_loose on transaction_count (merchant_id, environment, day)
  where not is_folded;
select protect_tenant_table('transaction_count', 'select, insert');

create function london_day(instant timestamptz) returns date
language sql immutable parallel safe as $$ select (instant at time zone 'Europe/London')::date $$;

create function london_midnight(day date) returns timestamptz
language sql immutable parallel safe as $$ select day::timestamp at time zone 'Europe/London' $$;

insert into transaction_item
select a.merchant_id, a.environment, a.payment_request_id, a.position, a.created_at, a.status, a.method,
  r.store_id, r.customer_id, a.amount_pence + a.tip_pence, array[lower(r.order_id)]
from attempt a join payment_request r using (merchant_id, environment, payment_request_id);
insert into transaction_word
select merchant_id, environment, words[1], created_at, payment_request_id, position, 0
from transaction_item;
insert into transaction_count (merchant_id, environment, day, store_id, method, status, items, is_folded)
select merchant_id, environment, london_day(created_at), store_id, method, status, count(*), true
from transaction_item group by 1, 2, 3, 4, 5, 6;

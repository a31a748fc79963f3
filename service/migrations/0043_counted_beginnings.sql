-- Beginnings of words that so many transactions of a merchant have in common that counting them at each
-- search takes too long. A change of an attempt appends its difference for each of them, as it does for
-- all transactions together in transaction_count; a job finds, counts and folds them.
create table transaction_beginning (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  beginning text collate "C" not null,
  -- whoever began after this appends; counting begins when all who began before must have ended
  registered_at timestamptz not null default clock_timestamp(),
  -- the days from this one on are counted
  counted_from date not null default 'infinity',
  is_counted boolean not null default false,
  primary key (merchant_id, environment, beginning)
);
create index transaction_beginning_open on transaction_beginning (merchant_id, environment)
  where not is_counted;
select protect_tenant_table('transaction_beginning', 'select');

create table transaction_beginning_count (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  beginning text collate "C" not null,
  day date not null,
  count_id bigint generated always as identity,
  store_id uuid not null,
  method text not null,
  status text not null,
  items int not null,
  is_folded boolean not null default false,
  primary key (merchant_id, environment, beginning, day, count_id)
);
create index transaction_beginning_count_loose on transaction_beginning_count
  (merchant_id, environment, beginning, day) where not is_folded;
select protect_tenant_table('transaction_beginning_count', 'select, insert');

-- A state that few are in, spread over years, is found without reading the days it lies in.
create index transaction_item_status on transaction_item
  (merchant_id, environment, status, created_at desc, payment_request_id, position);

-- The transactions of a London day in the order in which search shows them, the newest first: the first has
-- place 0. Read once a day is over, and again when it has changed.
create table transaction_day (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  day date not null,
  items int not null,
  -- how many beginnings were counted when it was read
  beginnings int not null,
  -- when every 64th was created, and how many of that very instant stand before it
  marks timestamptz[] not null,
  skips int[] not null,
  is_stale boolean not null default false,
  primary key (merchant_id, environment, day)
);
select protect_tenant_table('transaction_day', 'select');

-- Which of them have a word that begins so, a bit for each place: what two words have in common is
-- counted without looking at a transaction. It holds while its bits are as many as
-- transaction_beginning_count says: a transaction never loses a word.
create table transaction_day_beginning (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  beginning text collate "C" not null,
  day date not null,
  places varbit not null,
  primary key (merchant_id, environment, beginning, day)
);
select protect_tenant_table('transaction_day_beginning', 'select');

-- What the ledger booked on each London day, so that the money page adds up days and not entries. A job
-- adds what came after `counted_in`; a reader adds what the job has not seen. Payments write nothing more.
create table money_day (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  day date not null,
  account text not null,
  reason text not null,
  amount_pence bigint not null,
  entries bigint not null,
  -- transaction numbers of the first and the last entry: its rows are found between them
  first_in bigint not null,
  last_in bigint not null,
  primary key (merchant_id, environment, day, account, reason)
);
select protect_tenant_table('money_day', 'select, insert, update');

-- The last entry that is counted. Never more than an entry has, so that a restored dump goes on behind it.
create table money_day_cursor (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  counted_in xid8 not null,
  primary key (merchant_id, environment)
);
select protect_tenant_table('money_day_cursor', 'select, insert, update');

-- No other transaction is open on what a migration locks: each entry is counted here or by the job.
lock table ledger_entry in share mode;
insert into money_day
select merchant_id, environment, london_day(occurred_at), account, reason, sum(amount_pence), count(*),
  min(written_in::text::bigint), max(written_in::text::bigint)
from ledger_entry group by 1, 2, 3, 4, 5;
insert into money_day_cursor
select merchant_id, environment, max(last_in)::text::xid8 from money_day group by 1, 2;

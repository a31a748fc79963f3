-- How many payouts of a merchant were created on a day in London and are in a status now, so that the list
-- of payouts need not count them. The statements that open and change a payout keep it.
create table payout_count (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  created_on date not null,
  status text not null,
  payouts int not null,
  primary key (merchant_id, environment, created_on, status)
);
select protect_tenant_table('payout_count', 'select, insert, update');
insert into payout_count
select merchant_id, environment, (created_at at time zone 'Europe/London')::date, status, count(*)
from payout group by 1, 2, 3, 4;

-- What the operator has stopped: nothing new starts, what is under way goes on.
create table merchant_suspension (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  suspension_id uuid not null,
  reason text not null check (length(reason) between 1 and 500),
  suspended_by text not null,
  suspended_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  resumed_by text,
  resumed_at timestamptz,
  primary key (merchant_id, environment, suspension_id),
  check ((resumed_at is null) = (resumed_by is null))
);
create unique index merchant_suspension_current on merchant_suspension (merchant_id, environment)
  where resumed_at is null;
create index merchant_suspension_newest on merchant_suspension (merchant_id, suspended_at desc);
select protect_tenant_table('merchant_suspension', 'select, insert, update');

-- In the row that every statement reads which starts something, so that the check costs it nothing.
alter table merchant_switch add column suspension_id uuid,
  add constraint merchant_switch_suspension foreign key (merchant_id, environment, suspension_id)
    references merchant_suspension;

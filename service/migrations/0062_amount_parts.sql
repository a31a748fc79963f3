-- What a merchant's prices include: tax and service as percentages of the price without either.
create table amount_part_setting (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  tax_percentage numeric(5, 2) not null check (tax_percentage between 0 and 100),
  service_percentage numeric(5, 2) not null check (service_percentage between 0 and 100),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment)
);
select protect_tenant_table('amount_part_setting', 'select, insert, update');

-- The part of an amount that one percentage makes, `others` being all the others it includes: rounded
-- half up to pence, in whole numbers so that a half is a half.
create function included_pence(amount_pence bigint, percentage numeric, others numeric)
returns bigint language sql immutable parallel safe
return (2 * amount_pence * percentage * 100 + (100 + percentage + others) * 100)::bigint
  / (2 * (100 + percentage + others) * 100)::bigint;

-- As they were when the payment was requested.
alter table payment_request
  add column tax_percentage numeric(5, 2) not null default 0,
  add column service_percentage numeric(5, 2) not null default 0,
  add column tax_pence bigint not null default 0 check (tax_pence >= 0),
  add column service_pence bigint not null default 0 check (service_pence >= 0);

-- What of an attempt is tax and service, from its completion on.
alter table attempt
  add column tax_pence bigint check (tax_pence >= 0),
  add column service_pence bigint check (service_pence >= 0);

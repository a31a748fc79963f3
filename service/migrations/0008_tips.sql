-- What tips a merchant offers. Three quick choices: pence where FIXED, whole percent where PERCENTAGE.
create table tip_setting (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  tip_id uuid not null,
  is_enabled boolean not null default true,
  tip_type text not null check (tip_type in ('FIXED', 'PERCENTAGE')),
  options int[] not null check (array_length(options, 1) = 3 and 0 < all (options)),
  allows_custom boolean not null default true,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment)
);
select protect_tenant_table('tip_setting', 'select, insert, update');

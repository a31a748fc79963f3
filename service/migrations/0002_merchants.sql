create table merchant (
  merchant_id uuid primary key,
  business_name text not null check (length(business_name) between 1 and 100),
  owner_email text,
  category_code char(4) not null default '5999' check (category_code ~ '^\d{4}$'),
  payment_limit_pence bigint not null default 1500000 check (payment_limit_pence >= 100),
  -- true: a bank payment counts as COMPLETED only once the bank reports ACSC, ACCC or ACWP.
  completed_at_settlement boolean not null default false,
  avatar_url text,
  accent_colour text check (accent_colour ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null default clock_timestamp()
);
select protect_tenant_table('merchant', 'select, update');

-- What is switched on for a merchant in one environment.
create table merchant_switch (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  cards_enabled boolean not null default false,
  refunds_enabled boolean not null default false,
  payouts_enabled boolean not null default false,
  transfer_hub_paused boolean not null default false,
  orders_guarded boolean not null default false,
  primary key (merchant_id, environment),
  check (payouts_enabled or not refunds_enabled),
  check (environment = 'SANDBOX' or not transfer_hub_paused)
);
select protect_tenant_table('merchant_switch', 'select, insert, update');

-- Business time of a tenant = real time + offset. Production never moves.
create table tenant_clock (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  offset_ms bigint not null default 0 check (offset_ms >= 0),
  primary key (merchant_id, environment),
  check (environment = 'SANDBOX' or offset_ms = 0)
);
select protect_tenant_table('tenant_clock', 'select, insert, update');

create function clock_offset(of_merchant uuid, of_environment text) returns interval
language sql stable as $$
  select coalesce(
    (select c.offset_ms * interval '1 millisecond' from florin.tenant_clock c
      where c.merchant_id = of_merchant and c.environment = of_environment),
    interval '0')
$$;

-- Whole milliseconds, because that is what the wire can say.
create function business_now(of_merchant uuid, of_environment text) returns timestamptz
language sql volatile as $$
  select date_trunc('milliseconds', clock_timestamp()) + florin.clock_offset(of_merchant, of_environment)
$$;

create table store (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  store_id uuid not null,
  location_name text not null,
  address_line_1 text not null default '',
  address_line_2 text not null default '',
  postal_code text not null default '',
  city text not null default '',
  image_url text,
  is_primary boolean not null default false,
  is_enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, store_id)
);
create unique index store_one_primary on store (merchant_id, environment) where is_primary;
create index store_newest on store (merchant_id, environment, created_at desc, store_id);
select protect_tenant_table('store', 'select, insert, update');

create table store_bank_account (
  merchant_id uuid not null,
  environment text not null,
  store_id uuid not null,
  sort_code char(6) not null check (sort_code ~ '^\d{6}$'),
  account_number char(8) not null check (account_number ~ '^\d{8}$'),
  account_name text not null check (length(account_name) between 1 and 40),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, store_id),
  foreign key (merchant_id, environment, store_id) references store
);
select protect_tenant_table('store_bank_account', 'select, insert, update');

-- Secrets are found by their SHA-256 through the directory; the encrypted copy signs v1 webhooks.
create table access_secret (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  secret_id uuid not null,
  name text not null,
  last_four char(4) not null,
  secret_encrypted bytea not null,
  redirect_url text,
  web_origins text[] not null default '{}',
  is_read_only boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (merchant_id, environment, secret_id)
);
-- A browser's preflight names an origin and nothing else.
create index access_secret_origin on access_secret using gin (web_origins) where revoked_at is null;
select protect_tenant_table('access_secret', 'select, insert, update');

-- System tables: look-ups that have no tenant yet (ACCESS-10), and the operator's own account.
create table secret_directory (
  secret_sha256 bytea primary key check (length(secret_sha256) = 32),
  merchant_id uuid not null,
  environment text not null,
  secret_id uuid not null
);
grant select, insert, delete on secret_directory to florin_tenant, florin_system;

create table public_id (
  public_id text not null,
  kind text not null check (kind in (
    'PAYMENT_REQUEST', 'ATTEMPT', 'BANK_STATE', 'BANK_AUTHORISATION', 'IMAGE', 'LINK')),
  merchant_id uuid not null,
  environment text not null,
  target_id uuid not null,
  primary key (public_id, kind)
);
grant select, insert on public_id to florin_tenant, florin_system;

create table collecting_account (
  environment text primary key check (environment in ('SANDBOX', 'PRODUCTION')),
  sort_code char(6) not null check (sort_code ~ '^\d{6}$'),
  account_number char(8) not null check (account_number ~ '^\d{8}$'),
  account_name text not null check (length(account_name) between 1 and 40)
);
grant select on collecting_account to florin_tenant;
grant select, insert, update on collecting_account to florin_system;

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

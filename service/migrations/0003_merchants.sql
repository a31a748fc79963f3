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
  -- The logo that an operator gave a merchant. Its name is made from its bytes, so that it can be cached
  -- for ever.
  logo bytea check (octet_length(logo) <= 32768),
  logo_file text check (logo_file ~ '^[0-9a-f]{32}(-square)?\.(svg|png)$'),
  -- where a merchant helps its payers: shown on the hosted page, the receipt and its mail
  support_email text check (length(support_email) between 3 and 254),
  support_phone text check (support_phone ~ '^\+?[0-9][0-9 -]{5,29}$'),
  support_url text check (support_url like 'https://%' and length(support_url) <= 2048),
  created_at timestamptz not null default clock_timestamp(),
  check ((logo is null) = (logo_file is null))
);
select protect_tenant_table('merchant', 'select, update');

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

-- A suspension and its end are notices to members.
create function note_suspension() returns trigger language plpgsql as $$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment, 'SUSPENSION',
    jsonb_build_object('reason', case when new.resumed_at is null then new.reason end));
  return null;
end $$;
create trigger merchant_suspension_noted after insert or update on merchant_suspension for each row
  execute function note_suspension();

-- What is switched on for a merchant in one environment.
create table merchant_switch (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  cards_enabled boolean not null default false,
  refunds_enabled boolean not null default false,
  payouts_enabled boolean not null default false,
  transfer_hub_paused boolean not null default false,
  orders_guarded boolean not null default false,
  -- The signatures of the first interface cover ids only. Switched on, they are added to the way back in
  -- every state, for plug-ins that refuse an address without them.
  signs_every_return boolean not null default false,
  -- Shops that invoice at each COMPLETED hear of a payment once in v1, others wait for the bank's last word.
  repeats_completed boolean not null default false,
  -- when payouts are closed, and what the operator charges for payments in them
  settlement_period text not null default 'DAILY'
    check (settlement_period in ('DAILY', 'WEEKLY', 'MONTHLY')),
  cut_off_minutes smallint not null default 1020 check (cut_off_minutes between 0 and 1439),
  fee_fixed_pence bigint not null default 0 check (fee_fixed_pence between 0 and 100000),
  fee_basis_points int not null default 0 check (fee_basis_points between 0 and 10000),
  -- A refund of money that has not arrived would be paid from other money, and be lost if it never does.
  refunds_before_settlement boolean not null default false,
  -- above it a member refunds no payment alone; null: members refund without a second person
  refund_approval_above_pence bigint check (refund_approval_above_pence >= 0),
  -- how long requests live that do not say so; null: as the contract says
  expires_in_ms bigint check (expires_in_ms between 60000 and 34560000000),
  -- in the row that every statement reads which starts something, so that the check costs it nothing
  suspension_id uuid,
  primary key (merchant_id, environment),
  check (payouts_enabled or not refunds_enabled),
  check (environment = 'SANDBOX' or not transfer_hub_paused),
  constraint merchant_switch_refunds_settle_daily
    check (settlement_period = 'DAILY' or not refunds_enabled),
  constraint merchant_switch_suspension foreign key (merchant_id, environment, suspension_id)
    references merchant_suspension
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
  -- A business that signed itself up has the account of the sandbox's payee in production, too: nothing is
  -- paid to it there until a person has set an account of the business.
  is_placeholder boolean not null default false,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, store_id),
  foreign key (merchant_id, environment, store_id) references store
);
select protect_tenant_table('store_bank_account', 'select, insert, update');

-- Which bank account of a store took the place of which, when, and by whom.
create table store_account_change (
  merchant_id uuid not null,
  environment text not null,
  store_id uuid not null,
  change_id uuid not null,
  person_id uuid not null,
  person_name text not null,
  old_sort_code char(6) not null,
  old_account_number char(8) not null,
  old_account_name text not null,
  sort_code char(6) not null,
  account_number char(8) not null,
  account_name text not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, store_id, change_id),
  foreign key (merchant_id, environment, store_id) references store
);
create index store_account_change_newest on store_account_change
  (merchant_id, environment, store_id, changed_at desc);
select protect_tenant_table('store_account_change', 'select, insert');

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

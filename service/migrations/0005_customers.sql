create table customer (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  customer_id uuid not null,
  full_name text not null check (length(full_name) between 2 and 30),
  email text,
  email_folded text generated always as (lower(email)) stored,
  type text not null default 'INDIVIDUAL' check (type in ('INDIVIDUAL', 'BUSINESS')),
  phone_country_code text,
  phone_number text,
  address text,
  city text,
  postcode text,
  vat_number text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, customer_id),
  check (email is not null or phone_number is not null)
);
create unique index customer_email_once on customer (merchant_id, environment, email_folded)
  where email_folded is not null;
create index customer_newest on customer (merchant_id, environment, created_at desc, customer_id);
select protect_tenant_table('customer', 'select, insert, update, delete');

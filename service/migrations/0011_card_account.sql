-- A merchant's own account at the card processor, in one environment (MONEY-5).
create table card_account (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  secret_key_encrypted bytea not null,
  webhook_secret_encrypted bytea not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment)
);
select protect_tenant_table('card_account', 'select, insert, update');

create table payout (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payout_id uuid not null,
  status text not null check (status in ('PENDING', 'PROCESSING', 'SETTLED', 'FAILED')),
  version int not null default 1,
  -- stands on the merchant's bank statement
  reference text not null,
  sort_code char(6) not null,
  account_number char(8) not null,
  account_name text not null,
  amount_pence bigint not null default 0,
  end_to_end_id text,
  error_code text,
  error_description text,
  -- the tenant's own time is the truth; due_at is the real instant derived from it
  period_ends_business_at timestamptz not null,
  due_at timestamptz,
  finalized_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, payout_id)
);
-- While its period is open, an account has one.
create unique index payout_one_open on payout
  (merchant_id, environment, sort_code, account_number) where status = 'PENDING';
create index payout_newest on payout (merchant_id, environment, created_at desc, payout_id);
create index payout_due on payout (due_at) where due_at is not null;
select protect_tenant_table('payout', 'select, insert, update');

-- One ledger entry of the payable balance. RELEASED: its payout failed, so the next one takes it.
create table payout_line (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payout_id uuid not null,
  entry_id bigint not null,
  state text not null default 'CURRENT' check (state in ('CURRENT', 'RELEASED', 'MOVED')),
  amount_pence bigint not null,
  reason text not null,
  resource_id uuid not null,
  attempt_id uuid,
  store_id uuid not null,
  occurred_at timestamptz not null,
  primary key (merchant_id, environment, payout_id, entry_id),
  foreign key (merchant_id, environment, payout_id) references payout
);
create unique index payout_line_once on payout_line (merchant_id, environment, entry_id)
  where state = 'CURRENT';
create index payout_line_released on payout_line (merchant_id, environment)
  where state = 'RELEASED';
select protect_tenant_table('payout_line', 'select, insert, update');

-- Entries written before this are in payouts already.
create table payout_cursor (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  up_to_written_in xid8 not null,
  primary key (merchant_id, environment)
);
select protect_tenant_table('payout_cursor', 'select, insert, update');

create table payout_history (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payout_id uuid not null,
  version int not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  detail text,
  occurred_at timestamptz not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, payout_id, version)
);
create trigger payout_history_append_only before update or delete on payout_history
  for each row execute function refuse_change();
select protect_tenant_table('payout_history', 'select, insert');

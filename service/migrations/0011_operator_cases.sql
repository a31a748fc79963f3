-- What only a person can settle. A case without a merchant is about the whole installation.
create table operator_case (
  case_id uuid primary key default gen_random_uuid(),
  merchant_id uuid references merchant,
  environment text check (environment in ('SANDBOX', 'PRODUCTION')),
  kind text not null check (kind in (
    'PAYMENT_PENDING_LONG', 'PAYMENT_BLOCKED', 'LATE_REFUND_REFUSED', 'PROCESSOR_CONTRADICTION',
    'AMOUNT_DIFFERS', 'DISPUTE_OPENED', 'DISPUTE_LOST', 'DELIVERIES_ENDED',
    'ROWS_IN_DEFAULT_PARTITION', 'BOOKS_UNBALANCED')),
  -- what the case is about: an attempt, a dispute, an endpoint, a table
  subject text not null,
  description text not null,
  evidence jsonb not null default '{}',
  status text not null default 'OPEN' check (status in ('OPEN', 'RESOLVED')),
  opened_at timestamptz not null default clock_timestamp(),
  resolved_at timestamptz,
  resolution text,
  -- logged and mailed once
  reported_at timestamptz,
  leased_until timestamptz,
  report_attempts smallint not null default 0,
  check ((merchant_id is null) = (environment is null)),
  check ((status = 'RESOLVED') = (resolved_at is not null and resolution is not null))
);
-- One open case for each kind and subject, however often it is noticed.
create unique index operator_case_open on operator_case (kind, subject) where status = 'OPEN';
create index operator_case_to_report on operator_case (opened_at) where reported_at is null;
create index operator_case_listed on operator_case (opened_at desc, case_id);
select protect_tenant_table('operator_case', 'insert');

create table operator_case_history (
  case_id uuid not null references operator_case,
  position smallint not null,
  merchant_id uuid,
  environment text,
  from_status text not null,
  to_status text not null,
  -- who did it, as the operator calls herself
  actor text not null,
  detail text not null,
  evidence jsonb not null default '{}',
  occurred_at timestamptz not null default clock_timestamp(),
  primary key (case_id, position)
);
create trigger operator_case_history_append_only before update or delete on operator_case_history
  for each row execute function refuse_change();
select protect_tenant_table('operator_case_history', 'insert');

-- What the nightly proof of the books found.
create table ledger_verification (
  verified_at timestamptz primary key default clock_timestamp(),
  unbalanced_transactions int not null,
  -- balances of each account and environment over all merchants
  totals jsonb not null,
  snapshots_differ int not null,
  took_ms int not null
);
grant select, insert on ledger_verification to florin_system;

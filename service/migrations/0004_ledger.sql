-- Append-only double entry. A balance is the last snapshot plus the entries after it.
create table ledger_entry (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  entry_id bigint generated always as identity,
  transaction_id uuid not null,
  account text not null check (account in (
    'DUE_FROM_BANK', 'COLLECTING_ACCOUNT', 'STORE_ACCOUNT', 'SETTLED_BY_PROCESSOR',
    'MERCHANT_UNSETTLED', 'MERCHANT_PAYABLE', 'MERCHANT_PAID_DIRECTLY')),
  -- positive is a debit, negative a credit; a transaction sums to nothing
  amount_pence bigint not null check (amount_pence <> 0),
  reason text not null,
  resource_id uuid not null,
  attempt_id uuid,
  occurred_at timestamptz not null,
  written_at timestamptz not null default now(),
  written_in xid8 not null default pg_current_xact_id(),
  primary key (merchant_id, environment, entry_id, written_at)
) partition by range (written_at);
select ensure_month_partitions('ledger_entry', 2);
create table ledger_entry_default partition of ledger_entry default;
create index ledger_entry_account on ledger_entry (merchant_id, environment, account, written_in, entry_id);
create index ledger_entry_resource on ledger_entry (merchant_id, environment, resource_id);
create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function refuse_change();
select protect_tenant_table('ledger_entry', 'select, insert');

create table ledger_snapshot (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  account text not null,
  balance_pence bigint not null,
  up_to_written_in xid8 not null,
  taken_at timestamptz not null default now(),
  primary key (merchant_id, environment, account, up_to_written_in)
);
select protect_tenant_table('ledger_snapshot', 'select, insert');

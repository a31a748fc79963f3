-- Append-only double entry. A balance is the last snapshot plus the entries after it.
create table ledger_entry (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  entry_id bigint generated always as identity,
  transaction_id uuid not null,
  -- BANK_DIFFERENCES: what a bank has booked otherwise than ordered. HELD_FOR_CASES: not payable until a
  -- case about it is resolved. LATE_MONEY: it came when the payment had ended.
  account text not null check (account in (
    'DUE_FROM_BANK', 'COLLECTING_ACCOUNT', 'STORE_ACCOUNT', 'SETTLED_BY_PROCESSOR',
    'HELD_AT_PROCESSOR', 'MERCHANT_AUTHORISED', 'LATE_MONEY', 'BANK_DIFFERENCES', 'HELD_FOR_CASES',
    'MERCHANT_UNSETTLED', 'MERCHANT_PAYABLE', 'MERCHANT_PAID_DIRECTLY', 'MERCHANT_PAID_OUT',
    'REFUNDS_IN_TRANSIT', 'RETURNS', 'PAYOUTS_IN_TRANSIT', 'STORE_PAID_OUT', 'FEES')),
  -- positive is a debit, negative a credit; a transaction sums to nothing
  amount_pence bigint not null check (amount_pence <> 0),
  reason text not null,
  resource_id uuid not null,
  attempt_id uuid,
  store_id uuid,
  -- sort code and account number that the money came to, or went to
  creditor_account text check (creditor_account ~ '^\d{14}$'),
  occurred_at timestamptz not null,
  written_at timestamptz not null default now(),
  written_in xid8 not null default florin.written_in(),
  primary key (merchant_id, environment, entry_id, written_at)
) partition by range (written_at);
create table ledger_entry_default partition of ledger_entry default;
create index ledger_entry_account on ledger_entry (merchant_id, environment, account, written_in, entry_id);
create index ledger_entry_resource on ledger_entry (merchant_id, environment, resource_id);
create trigger ledger_entry_append_only before update or delete on ledger_entry
  for each row execute function refuse_change();
select protect_tenant_table('ledger_entry', 'select, insert');
select ensure_partitions('ledger_entry', 3);

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

-- What the ledger booked on each London day, so that the money page adds up days and not entries. A job
-- adds what came after `counted_in`; a reader adds what the job has not seen. Payments write nothing more.
create table money_day (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  day date not null,
  account text not null,
  reason text not null,
  amount_pence bigint not null,
  -- debits less credits: a refund that came back is no refund
  net_entries bigint not null,
  -- transaction numbers of the first and the last entry: its rows are found between them
  first_in bigint not null,
  last_in bigint not null,
  primary key (merchant_id, environment, day, account, reason)
);
select protect_tenant_table('money_day', 'select, insert, update');

-- The same by store and method, of what is sold, refunded, reversed and charged: what came in is positive
-- here. Of sales also what is within them.
-- Counted together with `money_day`; without a store the id is all zeros.
create table money_store_day (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  day date not null,
  store_id uuid not null,
  reason text not null,
  -- of what was paid first, also for what went off; none: a payment without an attempt of ours
  method text not null check (method in ('PAY_BY_BANK', 'CARD', 'NONE')),
  amount_pence bigint not null,
  tip_pence bigint not null,
  tax_pence bigint not null,
  service_pence bigint not null,
  primary key (merchant_id, environment, day, store_id, reason, method)
);
select protect_tenant_table('money_store_day', 'select, insert, update');

-- The last entry that is counted. Never more than an entry has, so that a restored dump goes on behind it.
create table money_day_cursor (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  counted_in xid8 not null,
  primary key (merchant_id, environment)
);
select protect_tenant_table('money_day_cursor', 'select, insert, update');

-- What the nightly proof of the books found.
create table ledger_verification (
  verified_at timestamptz primary key default clock_timestamp(),
  unbalanced_transactions int not null,
  -- balances of each account and environment over all merchants
  totals jsonb not null,
  snapshots_differ int not null,
  took_ms int not null,
  -- one row for each invariant that was found broken
  broken_invariants jsonb not null default '[]'
);
grant select, insert on ledger_verification to florin_system;

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
  line_count int not null default 0,
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
create index payout_due on payout (environment, due_at) where due_at is not null;
-- Every filter of the list of payouts has its index.
create index payout_by_time on payout (merchant_id, environment, created_at, payout_id)
  include (status, amount_pence);
create index payout_by_status on payout (merchant_id, environment, status, created_at, payout_id);
create index payout_by_amount on payout
  (merchant_id, environment, amount_pence, created_at, payout_id);
create index payout_by_reference on payout (merchant_id, environment, reference collate "C");
create index payout_settled on payout (merchant_id, environment, finalized_at)
  where status = 'SETTLED';
create index payout_in_progress on payout (updated_at) where status = 'PROCESSING';
-- An account that owes: its next payout is carried on until payments outweigh refunds and reversals.
create index payout_negative on payout (updated_at)
  where status = 'PENDING' and amount_pence < 0;
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
-- Whether an entry of the payable balance is in a payout, whatever became of that.
create index payout_line_of_entry on payout_line (merchant_id, environment, entry_id);
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

-- How many payouts of a merchant were created on a day in London and are in a status now, so that the list
-- of payouts need not count them. The statements that open and change a payout keep it.
create table payout_count (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  created_on date not null,
  status text not null,
  payouts int not null,
  primary key (merchant_id, environment, created_on, status)
);
select protect_tenant_table('payout_count', 'select, insert, update');

-- What the connected accounts of a merchant show of a payout.
create table payout_match (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  payout_id uuid not null,
  credits int not null,
  credited numeric(20, 5) not null,
  credited_at timestamptz,
  account_id uuid,
  transaction_id text,
  -- the first credit is on the account that the payout was for
  is_payout_account boolean,
  -- up to when that account was read, of the tenant's own time; not counted beyond the wait
  read_until timestamptz,
  primary key (merchant_id, environment, payout_id),
  foreign key (merchant_id, environment, payout_id) references payout
);
select protect_tenant_table('payout_match', 'select, insert, update');

-- The notice of a payout to members; of one in several transfers, what the bank paid.
create function note_payout() returns trigger language plpgsql as $$
begin
  insert into florin.member_notice (merchant_id, environment, kind, detail)
  values (new.merchant_id, new.environment,
    case new.status when 'SETTLED' then 'PAYOUT_PAID' else 'PAYOUT_FAILED' end,
    jsonb_build_object('payoutId', new.payout_id, 'reference', new.reference,
      'amountPence', (new.amount_pence - case new.status when 'SETTLED' then coalesce((
        select sum(t.amount_pence) from florin.transfer f
        join florin.transfer t on t.merchant_id = f.merchant_id
          and t.environment = f.environment and t.message_id = f.message_id
        where f.merchant_id = new.merchant_id and f.environment = new.environment
          and f.end_to_end_id = new.end_to_end_id
          and t.outcome in ('REJECTED', 'RETURNED')), 0) else 0 end)::text));
  return null;
end $$;
create trigger payout_noted after update on payout for each row
  when (new.status in ('SETTLED', 'FAILED') and old.status <> new.status)
  execute function note_payout();

-- Half up to pence.
create function fee_pence(amount_pence bigint, fixed_pence bigint, basis_points int)
returns bigint language sql immutable
return fixed_pence + (amount_pence * basis_points + 5000) / 10000;

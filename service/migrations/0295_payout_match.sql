-- The reference of a payout, wherever a bank puts it: in the reference or in the text of a line.
alter table bank_transaction add column payout_reference text generated always as (
  substring(upper(coalesce(reference, '') || ' ' || coalesce(description, ''))
    from 'FPY[0-9A-F]{11}')) stored;
create index bank_transaction_payout on bank_transaction
  (merchant_id, environment, payout_reference) where payout_reference is not null;

-- The account that a payout goes to, if it is connected.
create index bank_account_number on bank_account
  (merchant_id, environment, sort_code, account_number);

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

create index payout_settled on payout (merchant_id, environment, finalized_at)
  where status = 'SETTLED';

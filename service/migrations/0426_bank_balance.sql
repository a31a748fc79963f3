-- The booked balance that the bank of a collecting account reported last, and how our books compare.
create table bank_balance (
  environment text not null primary key check (environment in ('SANDBOX', 'PRODUCTION')),
  balance_pence bigint not null,
  -- the bank's time of the report
  reported_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  -- null: not compared yet
  difference_pence bigint,
  difference_since timestamptz,
  checked_at timestamptz,
  -- of the last case: resolved by a person, it is explained until it changes
  named_pence bigint not null default 0,
  reconciled_at timestamptz,
  reconciled_pence bigint
);
grant select, insert, update on bank_balance to florin_system

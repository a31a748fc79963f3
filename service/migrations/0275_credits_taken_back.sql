-- What a bank takes from the collecting account again, under the id of the payment that it credited.
create table account_debit (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- as of account_credit
  entry_key text not null,
  end_to_end_id text not null,
  amount_pence bigint not null check (amount_pence > 0),
  bank_reference text,
  booked_on date,
  tries int not null default 0,
  -- real time; null: the credit that it takes back was looked for
  due_at timestamptz default clock_timestamp(),
  received_at timestamptz not null default clock_timestamp(),
  primary key (environment, entry_key)
);
create index account_debit_of_payment on account_debit (environment, end_to_end_id);
create index account_debit_due on account_debit (due_at) where due_at is not null;
grant select, insert, update on account_debit to florin_system;

create index account_credit_of_id on account_credit (environment, end_to_end_id);
alter table account_credit drop constraint account_credit_status_check;
alter table account_credit add constraint account_credit_status_check
  check (status in ('OPEN', 'MATCHED', 'UNMATCHED', 'TAKEN_BACK'));

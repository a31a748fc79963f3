-- What came to the collecting account, as its bank's account reports list it. A report that lists an
-- entry again adds nothing. It belongs to no merchant until it is matched to a payment.
create table account_credit (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  credit_id uuid not null default gen_random_uuid(),
  -- digest of what the entry says, with its ordinal among equal entries of one report
  entry_key text not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'MATCHED', 'UNMATCHED')),
  amount_pence bigint not null check (amount_pence > 0),
  bank_reference text,
  booked_on date,
  end_to_end_id text,
  -- dropped once it is matched: the payment knows its payer
  payer_name text,
  remittance text,
  -- money of an own transfer that came back without its id: no payment's
  is_returned boolean not null,
  merchant_id uuid,
  payment_request_id uuid,
  attempt_id uuid,
  matched_by text check (matched_by in ('END_TO_END_ID', 'AMOUNT_AND_NAME', 'OPERATOR')),
  matched_at timestamptz,
  unmatched_reason text,
  tries int not null default 0,
  -- real time
  due_at timestamptz default clock_timestamp(),
  received_at timestamptz not null default clock_timestamp(),
  primary key (credit_id),
  unique (environment, entry_key),
  check (status <> 'MATCHED' or (attempt_id is not null and matched_by is not null)),
  check ((due_at is not null) = (status = 'OPEN'))
);
-- A payment is paid once.
create unique index account_credit_of_attempt on account_credit
  (merchant_id, environment, attempt_id) where attempt_id is not null;
create index account_credit_due on account_credit (due_at) where due_at is not null;
create index account_credit_newest on account_credit (status, received_at desc, credit_id);
grant select, insert, update on account_credit to florin_system;

create function plain_name(name text) returns text language sql immutable
return lower(regexp_replace(trim(name), '\s+', ' ', 'g'));

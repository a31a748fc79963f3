-- What came to the collecting account, as its bank's account reports list it. A report that lists an
-- entry again adds nothing. It belongs to no merchant until it is matched to a payment.
create table account_credit (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  credit_id uuid not null default gen_random_uuid(),
  -- digest of what the entry says, with its ordinal among equal entries of one report
  entry_key text not null,
  status text not null default 'OPEN'
    check (status in ('OPEN', 'MATCHED', 'UNMATCHED', 'REVERSED')),
  amount_pence bigint not null check (amount_pence > 0),
  bank_reference text,
  booked_on date,
  end_to_end_id text,
  -- under which a debit takes it back: the bank's id, or that of its payment once it is matched
  known_as text,
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
  last_error text,
  -- real time
  due_at timestamptz default clock_timestamp(),
  received_at timestamptz not null default clock_timestamp(),
  primary key (credit_id),
  unique (environment, entry_key),
  check (status <> 'MATCHED' or (attempt_id is not null and matched_by is not null)),
  check ((due_at is not null) = (status = 'OPEN'))
);
-- A payment is paid once: of its credits one may stay, those that were taken back do not count.
create unique index account_credit_of_attempt on account_credit
  (merchant_id, environment, attempt_id, (case when status = 'REVERSED' then credit_id end))
  nulls not distinct where attempt_id is not null;
create index account_credit_due on account_credit (environment, due_at) where due_at is not null;
create index account_credit_of_id on account_credit (environment, known_as);
create index account_credit_newest on account_credit (status, received_at desc, credit_id);
grant select, insert, update on account_credit to florin_system;
comment on table account_credit is 'Not replicated: a collecting account is of its cell.';

create function plain_name(name text) returns text language sql immutable
return lower(regexp_replace(trim(name), '\s+', ' ', 'g'));

-- Every debit of the collecting account, also one without a reference (PAYOUT-12). Under the id of a payment
-- that it credited, the bank takes that back.
create table account_debit (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- as of account_credit
  entry_key text not null,
  end_to_end_id text,
  amount_pence bigint not null check (amount_pence > 0),
  bank_reference text,
  booked_on date,
  tries int not null default 0,
  last_error text,
  -- the credit whose money it took; null: looked for while due_at is set, then nothing explains it
  credit_id uuid,
  -- real time; null: the credit that it takes back was looked for
  due_at timestamptz default clock_timestamp(),
  received_at timestamptz not null default clock_timestamp(),
  primary key (environment, entry_key)
);
create index account_debit_of_payment on account_debit (environment, end_to_end_id);
create index account_debit_due on account_debit (environment, due_at) where due_at is not null;
create unique index account_debit_of_credit on account_debit (credit_id) where credit_id is not null;
grant select, insert, update on account_debit to florin_system;

-- A payment of which a debit took money (PAYOUT-12): it does not leave. One that would take its only credit
-- holds it while a second one is awaited; one that fits no credit holds it until it has taken one, or until
-- a person has resolved its case.
create table held_payment (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  attempt_id uuid not null,
  store_id uuid not null,
  amount_pence bigint not null check (amount_pence > 0),
  -- of the debit that fits no credit
  entry_key text not null default '',
  -- the tenant's own time
  until_business_at timestamptz,
  primary key (merchant_id, environment, attempt_id, entry_key),
  check ((entry_key = '') = (until_business_at is not null))
);
select protect_tenant_table('held_payment', 'select');

create function release_explained() returns trigger language plpgsql as $$
begin
  delete from florin.held_payment
  where entry_key <> '' and environment || ' ' || entry_key = new.subject;
  return null;
end $$;
create trigger operator_case_releases after update on operator_case for each row
  when (new.kind = 'DEBIT_UNEXPLAINED' and new.status = 'RESOLVED')
  execute function release_explained();

-- How often each message of the bank names an equal booking without a reference: two notifications name two
-- bookings, two intraday reports may name one (PAYOUT-4).
create table booking_mention (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- of the entry_key of account_credit and account_debit
  digest text not null,
  list text not null check (list in ('STATEMENT', 'NOTIFICATION')),
  message_id text not null,
  first_ordinal int not null,
  bookings int not null check (bookings > 0),
  primary key (environment, digest, list, message_id),
  unique (environment, digest, list, first_ordinal)
);
grant select, insert on booking_mention to florin_system;

-- Each entry of the collecting account under the id of an own transfer, once.
create table transfer_entry (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  entry_key text not null,
  end_to_end_id text not null,
  -- DEPOSIT: the transfer was paid to this very account; GIVEN_BACK: and returned from it
  kind text not null check (kind in ('DEBIT', 'RETURN', 'DEPOSIT', 'GIVEN_BACK')),
  amount_pence bigint not null check (amount_pence > 0),
  received_at timestamptz not null default clock_timestamp(),
  primary key (environment, entry_key)
);
create index transfer_entry_of_transfer on transfer_entry (environment, end_to_end_id);
grant select, insert on transfer_entry to florin_system;

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
grant select, insert, update on bank_balance to florin_system;

-- What the bank of the collecting account has sent: it belongs to no merchant.
create table bank_message (
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  reference text not null,
  kind text not null check (kind in ('STATUS_REPORT', 'ACCOUNT_REPORT', 'UNREADABLE')),
  message_id text,
  answers text,
  quarantine_reason text,
  -- of a message that cannot be read, the beginning
  text text,
  received_at timestamptz not null default clock_timestamp(),
  -- how often it could not be taken; the last error goes when it is taken or put aside
  tries int not null default 0,
  last_error text check (last_error is null or quarantine_reason is null),
  -- while it is put aside, as it was received
  message_encrypted bytea check (message_encrypted is null or quarantine_reason is not null),
  -- since when it is to be taken again
  again_at timestamptz check (again_at is null or message_encrypted is not null),
  again_by text check ((again_by is null) = (again_at is null)),
  primary key (environment, reference)
);
create index bank_message_again on bank_message (environment, again_at) where again_at is not null;
create index bank_message_kept on bank_message (received_at) where message_encrypted is not null;
create index bank_message_id on bank_message (environment, message_id);
create index bank_message_quarantined on bank_message (environment, received_at)
  where quarantine_reason is not null;
grant select, insert, update on bank_message to florin_system;

-- Which folder files are exchanged through with the bank of an environment: it alone knows what was handed
-- over, so through another one a batch could go out again. It belongs to no merchant.
create table transfer_folder (
  environment text primary key check (environment in ('SANDBOX', 'PRODUCTION')),
  folder_id uuid not null,
  -- the file that was handed over last, or is about to be: a copy of the folder from before lacks it
  last_file text,
  last_file_at timestamptz,
  claimed_at timestamptz not null default clock_timestamp()
);
grant select, insert, update on transfer_folder to florin_system;

-- How many notices the bank of the collecting account has sent, and how many of them were followed by
-- reading its messages. A row for each environment; it belongs to no merchant.
create table bank_notice (
  environment text primary key check (environment in ('SANDBOX', 'PRODUCTION')),
  noticed bigint not null,
  followed bigint not null default 0 check (followed <= noticed),
  -- of the first notice that was not followed yet
  noticed_at timestamptz not null
);
create index bank_notice_due on bank_notice (noticed_at) where noticed > followed;
grant select, insert, update on bank_notice to florin_system;

-- Raised by each decision over a merchant's money that goes out, so that two never decide at once.
create table outgoing_turn (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  version int not null default 1,
  primary key (merchant_id, environment)
);
select protect_tenant_table('outgoing_turn', 'select, insert, update');

-- Credit transfers that one message hands to the bank: of one merchant, for one purpose.
create table transfer_batch (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  message_id text not null check (length(message_id) <= 35),
  subject text not null check (subject in ('REFUND', 'PAYOUT')),
  status text not null default 'OPEN' check (status in ('OPEN', 'SUBMITTED', 'REFUSED')),
  execution_date date not null,
  debtor jsonb not null,
  on_behalf_of text not null,
  -- how often the bank was asked to take it: from the second time on it is asked whether it has it
  submissions int not null default 0,
  due_at timestamptz not null,
  leased_until timestamptz,
  last_error text,
  -- what the bank said when it refused the batch, before its transfers are failed
  refusal jsonb,
  -- part of the message, so in whole milliseconds
  created_at timestamptz not null,
  primary key (merchant_id, environment, message_id)
);
create index transfer_batch_due on transfer_batch (environment, due_at) where status = 'OPEN';
create unique index transfer_batch_message on transfer_batch (message_id);
select protect_tenant_table('transfer_batch', 'select, insert, update');

create table transfer (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  end_to_end_id text not null check (length(end_to_end_id) <= 31),
  message_id text not null,
  position int not null,
  subject_id uuid not null,
  amount_pence bigint not null check (amount_pence > 0),
  creditor_encrypted bytea not null,
  reference text not null,
  -- how the books have ended it; null: on its way
  outcome text check (outcome in ('SETTLED', 'REJECTED', 'RETURNED')),
  -- booked on BANK_DIFFERENCES and HELD_FOR_CASES because of it
  difference_pence bigint not null default 0,
  held_pence bigint not null default 0 check (held_pence >= 0),
  -- of what is held: it has left, and no return of it is listed
  unreturned_pence bigint not null default 0 check (unreturned_pence between 0 and held_pence),
  primary key (merchant_id, environment, end_to_end_id),
  foreign key (merchant_id, environment, message_id) references transfer_batch
);
create index transfer_of_batch on transfer (merchant_id, environment, message_id, position);
create unique index transfer_by_id on transfer (end_to_end_id);
create index transfer_unreturned on transfer (merchant_id, environment, subject_id)
  where unreturned_pence > 0;
select protect_tenant_table('transfer', 'select, insert, update');

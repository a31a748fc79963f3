-- The ledger knows money on its way out, and of which store and account each entry is.
alter table ledger_entry drop constraint ledger_entry_account_check;
alter table ledger_entry add constraint ledger_entry_account_check check (account in (
  'DUE_FROM_BANK', 'COLLECTING_ACCOUNT', 'STORE_ACCOUNT', 'SETTLED_BY_PROCESSOR',
  'MERCHANT_UNSETTLED', 'MERCHANT_PAYABLE', 'MERCHANT_PAID_DIRECTLY',
  'REFUNDS_IN_TRANSIT', 'RETURNS', 'PAYOUTS_IN_TRANSIT', 'STORE_PAID_OUT', 'FEES'));
alter table ledger_entry
  add column store_id uuid,
  -- sort code and account number that the money came to, or went to
  add column creditor_account text check (creditor_account ~ '^\d{14}$');

create function disputed_pence(disputes jsonb) returns bigint language sql immutable
return coalesce((select sum((d->>'amountPence')::bigint) from jsonb_array_elements(disputes) d
  where d->>'status' <> 'WON'), 0);

-- Changed by refunds only. Whatever races, no more is promised than was paid (MONEY-12).
alter table attempt
  add column refunded_pence bigint not null default 0 check (refunded_pence >= 0),
  add column refund_reserved_pence bigint not null default 0 check (refund_reserved_pence >= 0),
  add constraint attempt_refunds_within_payment
    check (refunded_pence + refund_reserved_pence <= amount_pence + tip_pence);

alter table public_id drop constraint public_id_kind_check;
alter table public_id add constraint public_id_kind_check check (kind in (
  'PAYMENT_REQUEST', 'ATTEMPT', 'BANK_STATE', 'BANK_AUTHORISATION', 'IMAGE', 'LINK', 'REFUND',
  'PAYOUT'));

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
  -- part of the message, so in whole milliseconds
  created_at timestamptz not null,
  primary key (merchant_id, environment, message_id)
);
create index transfer_batch_due on transfer_batch (due_at) where status = 'OPEN';
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
  primary key (merchant_id, environment, end_to_end_id),
  foreign key (merchant_id, environment, message_id) references transfer_batch
);
create index transfer_of_batch on transfer (merchant_id, environment, message_id, position);
create unique index transfer_by_id on transfer (end_to_end_id);
select protect_tenant_table('transfer', 'select, insert');

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
  primary key (environment, reference)
);
create index bank_message_id on bank_message (environment, message_id);
create index bank_message_quarantined on bank_message (environment, received_at)
  where quarantine_reason is not null;
grant select, insert, update on bank_message to florin_system;

create table refund (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  refund_id uuid not null,
  payment_request_id uuid not null,
  attempt_id uuid not null,
  payment_idempotency_id text not null,
  order_id text not null,
  store_id uuid not null,
  secret_id uuid not null,
  method text not null check (method in ('PAY_BY_BANK', 'CARD')),
  status text not null
    check (status in ('INITIATED', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  -- until it is handed over it can be cancelled
  step text not null check (step in ('WAITING', 'HANDED_OVER', 'ENDED')),
  waits_for text check (waits_for in ('BALANCE', 'REFUND_ACCOUNT_NEEDED')),
  version int not null default 1,
  amount_pence bigint not null check (amount_pence >= 100),
  paid_pence bigint not null,
  notes text,
  -- entered where the bank did not say who had paid
  account_encrypted bytea,
  end_to_end_id text,
  rail_state_encrypted bytea,
  rail_reference text,
  error_code text,
  error_description text,
  event_sequence int not null default 0,
  poll_count int not null default 0,
  -- the tenant's own time is the truth; due_at is the real instant derived from it
  due_business_at timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  handed_over_at timestamptz,
  operator_alerted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, environment, refund_id),
  foreign key (merchant_id, environment, attempt_id) references attempt,
  check ((step = 'ENDED') = (status in ('COMPLETED', 'FAILED', 'CANCELLED')))
) with (fillfactor = 80);
create index refund_of_payment on refund
  (merchant_id, environment, payment_request_id, created_at, refund_id);
create index refund_due on refund (due_at) where due_at is not null;
create index refund_of_merchant_open on refund (merchant_id, environment, status)
  where status in ('INITIATED', 'PENDING');
create index refund_of_card on refund (refund_id) where method = 'CARD';
select protect_tenant_table('refund', 'select, insert, update');

create table refund_history (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  refund_id uuid not null,
  version int not null,
  position smallint not null,
  from_status text,
  to_status text not null,
  trigger text not null,
  detail text,
  occurred_at timestamptz not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, refund_id, version, position)
);
create trigger refund_history_append_only before update or delete on refund_history
  for each row execute function refuse_change();
select protect_tenant_table('refund_history', 'select, insert');

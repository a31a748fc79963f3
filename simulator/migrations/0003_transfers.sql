-- The transfer hub: the bank that holds the collecting account.
create table simulator.hub_account (
  sort_code text not null,
  account_number text not null,
  name text not null,
  opening_pence bigint not null default 0,
  may_overdraw boolean not null default true,
  -- The balance that the last report stated.
  reported_pence bigint not null default 0,
  primary key (sort_code, account_number)
);

create table simulator.hub_message (
  message_id text primary key,
  sort_code text not null,
  account_number text not null,
  content_hash text not null,
  -- As received, so that a test can validate what passed against the schema of its own.
  text text not null default '',
  received_at timestamptz not null
);

create table simulator.hub_transfer (
  message_id text not null references simulator.hub_message (message_id),
  position int not null,
  end_to_end_id text not null,
  sort_code text not null,
  account_number text not null,
  creditor json not null,
  ultimate_debtor_id text,
  reference text not null,
  amount_pence bigint not null check (amount_pence > 0),
  bank_reference text not null,
  behaviour text not null,
  schedule json not null,
  accepted_at timestamptz not null,
  clock_offset_ms bigint not null default 0,
  -- How many steps of the schedule were reported, and the real instant of the next one.
  reported_steps int not null default 0,
  due_at timestamptz,
  primary key (message_id, position)
);
create index hub_transfer_by_id on simulator.hub_transfer (end_to_end_id);
create index hub_transfer_due on simulator.hub_transfer (sort_code, account_number, due_at)
  where due_at is not null;

-- An entry is booked once its real instant has passed. stated_at is the same on the own clock of the
-- payment or transfer, which control calls may move.
create table simulator.account_entry (
  id bigint generated always as identity primary key,
  sort_code text not null,
  account_number text not null,
  direction text not null check (direction in ('CRDT', 'DBIT')),
  kind text not null check (kind in ('payment', 'transfer', 'return', 'reversal', 'deposit')),
  amount_pence bigint not null check (amount_pence > 0),
  end_to_end_id text,
  -- False: the account report keeps the id to itself, as many banks do.
  shows_id boolean not null default true,
  counterparty json not null,
  reference text not null,
  reason text,
  consent_id text,
  booked_at timestamptz not null,
  -- For so long after it the payer's bank shows a payment as pending.
  pending_ms bigint not null default 0,
  stated_at timestamptz not null,
  is_reported boolean not null default false,
  -- Whether it is in the running balance of its account.
  is_counted boolean not null default false
);
create index account_entry_by_account on simulator.account_entry (sort_code, account_number);
create index account_entry_unreported on simulator.account_entry
  (sort_code, account_number, booked_at) where not is_reported;
create index account_entry_uncounted on simulator.account_entry
  (sort_code, account_number, booked_at) where not is_counted;
create index account_entry_by_consent on simulator.account_entry (consent_id)
  where consent_id is not null;
create index account_entry_by_transfer on simulator.account_entry (end_to_end_id);

create table simulator.account_balance (
  sort_code text not null,
  account_number text not null,
  counted_pence bigint not null,
  primary key (sort_code, account_number)
);

-- What waits for the client until it is acknowledged.
create table simulator.hub_delivery (
  seq bigint generated always as identity primary key,
  reference text not null unique,
  sort_code text not null,
  account_number text not null,
  end_to_end_ids text[] not null,
  text text not null,
  available_at timestamptz not null,
  acknowledged_at timestamptz,
  quarantine_reason text,
  -- When the client was sent a notice that this message waits; null: it was not yet.
  noticed_at timestamptz
);
create index hub_delivery_waiting on simulator.hub_delivery (sort_code, account_number, seq)
  where acknowledged_at is null;
create index hub_delivery_unnoticed on simulator.hub_delivery
  (sort_code, account_number, available_at) where acknowledged_at is null and noticed_at is null;

-- Ordered by control calls: what a transfer will do, and for which merchants nothing is taken ('': all).
create table simulator.hub_behaviour (
  end_to_end_id text primary key,
  behaviour text not null
);
create table simulator.hub_pause (
  ultimate_debtor_id text primary key
);

-- How far the clock of who orders transfers is ahead: what they credit is stated on it.
create table simulator.hub_clock (
  ultimate_debtor_id text primary key,
  offset_ms bigint not null
);

create table simulator.account (
  bank_id text not null,
  id text not null,
  login text not null,
  position int not null,
  label text not null,
  holder_name text not null,
  sort_code text not null,
  account_number text not null,
  opening_pence bigint not null,
  may_overdraw boolean not null,
  -- The generated history ends when the account was first seen; afterwards only real money moves.
  opened_at timestamptz not null default now(),
  primary key (bank_id, id)
);
create index account_by_login on simulator.account (bank_id, login, position);
create index account_by_number on simulator.account (sort_code, account_number);

-- wire_data and wire_risk are json, not jsonb: a bank answers what it was sent, in the same order.
create table simulator.consent (
  bank_id text not null,
  id text not null,
  client_id text not null,
  -- One that was created under one version of the standard is unknown under the other.
  version text not null default '4.0' check (version in ('3.1', '4.0')),
  wire_data json not null,
  wire_risk json not null,
  amount_pence bigint not null,
  end_to_end_identification text not null,
  creditor json not null,
  reference text not null,
  wants_refund_account boolean not null,
  status text not null check (status in ('AWAU', 'AUTH', 'RJCT', 'COND')),
  status_reason json,
  created_at timestamptz not null,
  status_updated_at timestamptz not null,
  login text,
  interaction_id text,
  debtor_account_id text,
  first_submission_at timestamptz,
  clock_offset_ms bigint not null default 0,
  primary key (bank_id, id)
);

create table simulator.payment (
  bank_id text not null,
  id text not null,
  consent_id text not null,
  accepted_at timestamptz not null,
  schedule json not null,
  primary key (bank_id, id),
  unique (bank_id, consent_id),
  foreign key (bank_id, consent_id) references simulator.consent (bank_id, id)
);
create index payment_by_time on simulator.payment (accepted_at, id);

create table simulator.idempotency_key (
  bank_id text not null,
  client_id text not null,
  operation text not null,
  key text not null,
  body_hash text not null,
  resource_id text not null,
  created_at timestamptz not null,
  primary key (bank_id, client_id, operation, key)
);

create table simulator.fault (
  id bigint generated always as identity primary key,
  bank_id text not null,
  operation text not null,
  kind text not null,
  remaining int not null check (remaining >= 0),
  milliseconds int,
  status int
);
create index fault_waiting on simulator.fault (bank_id, operation, id) where remaining > 0;

-- Who is told of what changes at a bank, and where.
create table simulator.event_subscription (
  bank_id text not null,
  id text not null,
  client_id text not null,
  version text not null,
  callback_url text,
  -- null: all that the bank sends
  event_types text[],
  primary key (bank_id, id),
  unique (bank_id, client_id)
);

-- A notification that has still to be sent. Those of a payment are planned when it is accepted.
create table simulator.event_notification (
  id text primary key,
  bank_id text not null,
  subscription_id text not null,
  consent_id text not null,
  event text not null,
  resource_type text not null,
  resource_id text not null,
  occurs_at timestamptz not null,
  next_at timestamptz not null,
  attempts int not null default 0,
  last_status int,
  foreign key (bank_id, subscription_id)
    references simulator.event_subscription (bank_id, id) on delete cascade
);
create index event_notification_due on simulator.event_notification (next_at);
create index event_notification_consent on simulator.event_notification (consent_id);

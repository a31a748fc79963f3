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

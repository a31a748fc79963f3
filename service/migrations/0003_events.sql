-- An event is written by the statement that changes the state, with its deliveries.
-- It is read in order of (written_in, event_id) below the oldest open transaction (no gaps).
create table event (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  event_id uuid not null,
  event_type text not null check (event_type in
    ('PAYMENTS_STATUS', 'EXPIRED_STATUS', 'REFUND_STATUS', 'POS_PAYMENT_STATUS')),
  resource_id uuid not null,
  sequence int not null,
  dedupe_key text not null,
  -- the access secret whose plain text signs this event in v1
  signing_secret_id uuid,
  is_test boolean not null default false,
  occurred_at timestamptz not null,
  written_at timestamptz not null default now(),
  written_in xid8 not null default pg_current_xact_id(),
  primary key (merchant_id, environment, event_id),
  unique (merchant_id, environment, resource_id, dedupe_key)
);
-- Old events are found by their age: rows stand in the table in the order of writing.
create index event_age on event using brin (written_at);
create index event_cursor on event (merchant_id, environment, written_in, event_id);
select protect_tenant_table('event', 'select, insert');

-- What a delivery needs of its event stands with the body, found by one key: a claim then reads no
-- table that has a second index which a planner without statistics may take for as good.
create table event_body (
  merchant_id uuid not null,
  environment text not null,
  event_id uuid not null,
  -- canonical JSON without signature fields; jsonb would lose the order of the keys
  body text not null,
  event_type text,
  sequence int,
  signing_secret_id uuid,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, event_id, written_at)
) partition by range (written_at);
select ensure_month_partitions('event_body', 2);
create table event_body_default partition of event_body default;
select protect_tenant_table('event_body', 'select, insert');

-- Slots 1 to 3 in the key: a fourth endpoint for an event type fails in the index, without a race.
create table subscription (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  event_type text not null check (event_type in
    ('PAYMENTS_STATUS', 'EXPIRED_STATUS', 'REFUND_STATUS', 'POS_PAYMENT_STATUS')),
  slot smallint not null check (slot between 1 and 3),
  endpoint_id uuid not null,
  api_version smallint not null check (api_version in (1, 2)),
  -- copied by a foreign key on the endpoint, so that an emitting statement reads it here
  is_paused boolean not null default false,
  primary key (merchant_id, environment, event_type, slot),
  unique (merchant_id, environment, endpoint_id, event_type)
);
create unique index subscription_one_v1 on subscription (merchant_id, environment, event_type)
  where api_version = 1;
select protect_tenant_table('subscription', 'select, insert, delete');

-- No foreign key to the event: one statement writes both, and the check would cost as much as the row.
create table delivery (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  endpoint_id uuid not null,
  delivery_id bigint generated always as identity,
  event_id uuid not null,
  -- leads to the one partition that holds the body
  event_written_at timestamptz not null default now(),
  kind text not null default 'LIVE' check (kind in ('LIVE', 'REPLAY', 'TEST')),
  state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELLED')),
  -- raised by each claim: a completion that names an older number is a stale worker's
  attempts smallint not null default 0,
  -- business wants it then (real instant); who works on it until when; real time for both
  due_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  -- the tenant's own time is the truth that due_at is derived from
  due_business_at timestamptz not null,
  deadline_business_at timestamptz not null,
  last_status smallint,
  last_error text,
  completed_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, environment, endpoint_id, delivery_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- A claim changes attempts and leased_until only, so it touches no index.
create index delivery_queue on delivery (endpoint_id, due_at) where state = 'PENDING';
create unique index delivery_one_replay on delivery (merchant_id, environment, event_id, endpoint_id)
  where state = 'PENDING' and kind = 'REPLAY';
create index delivery_of_event on delivery (event_id, endpoint_id);
select protect_tenant_table('delivery', 'select, insert, update');

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
  -- a payment COMPLETED before whose bank has reported a later status
  is_repeat boolean not null default false,
  occurred_at timestamptz not null,
  written_at timestamptz not null default now(),
  written_in xid8 not null default florin.written_in(),
  primary key (merchant_id, environment, event_id, written_at)
) partition by range (written_at);
create table event_default partition of event default;
create index event_cursor on event (merchant_id, environment, written_in, event_id);
-- One dedupe key of a resource within a month: the guard of the statement that emits is the version of what
-- changes, this is a second fence.
create unique index event_default_dedupe on event_default
  (merchant_id, environment, resource_id, dedupe_key);
select protect_tenant_table('event', 'select, insert');
select ensure_partitions('event', 3);

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
  -- of the call that began it, for the headers of its deliveries
  request_id uuid,
  traceparent text,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, event_id, written_at)
) partition by range (written_at);
create table event_body_default partition of event_body default;
select protect_tenant_table('event_body', 'select, insert');
select ensure_partitions('event_body', 3);

-- The address never changes; version rises with every change, so that a dispatcher sees it at once.
create table webhook_endpoint (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  endpoint_id uuid not null,
  api_version smallint not null check (api_version in (1, 2)),
  url text not null check (length(url) <= 2048),
  description text check (length(description) <= 100),
  auth_kind text not null default 'NONE' check (auth_kind in ('NONE', 'BASIC', 'OAUTH2')),
  auth_encrypted bytea,
  version int not null default 1,
  -- how many deliveries a second are sent at most; null: no limit
  rate_per_second smallint check (rate_per_second between 1 and 1000),
  -- `missed_since`: from when on it may have missed something in its last pause; the tenant's time
  is_paused boolean not null default false,
  paused_at timestamptz,
  missed_since timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, environment, endpoint_id),
  unique (merchant_id, environment, endpoint_id, is_paused),
  check ((auth_kind = 'NONE') = (auth_encrypted is null)),
  check (is_paused = (paused_at is not null))
);
create index webhook_endpoint_newest on webhook_endpoint
  (merchant_id, environment, created_at desc, endpoint_id) where deleted_at is null;
select protect_tenant_table('webhook_endpoint', 'select, insert, update');

-- Slots 1 to 3 in the key: a fourth endpoint for an event type fails in the index, without a race.
create table subscription (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  event_type text not null check (event_type in
    ('PAYMENTS_STATUS', 'EXPIRED_STATUS', 'REFUND_STATUS', 'POS_PAYMENT_STATUS')),
  slot smallint not null check (slot between 1 and 3),
  endpoint_id uuid not null,
  api_version smallint not null check (api_version in (1, 2)),
  -- Copied by the key on the endpoint, so that an emitting statement reads it here; also into one that is
  -- made at the very moment of a resume: otherwise that one would stay silent.
  is_paused boolean not null default false,
  primary key (merchant_id, environment, event_type, slot),
  unique (merchant_id, environment, endpoint_id, event_type),
  foreign key (merchant_id, environment, endpoint_id, is_paused)
    references webhook_endpoint (merchant_id, environment, endpoint_id, is_paused) on update cascade
);
create unique index subscription_one_v1 on subscription (merchant_id, environment, event_type)
  where api_version = 1;
select protect_tenant_table('subscription', 'select, insert, delete');

-- It lies and goes with the month of its event. No foreign key to that: one statement writes both, and
-- the check would cost as much as the row.
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
  primary key (merchant_id, environment, endpoint_id, delivery_id, event_written_at)
) partition by range (event_written_at);
create table delivery_default partition of delivery default
  with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- A claim changes attempts and leased_until only, so it touches no index.
create index delivery_queue on delivery (endpoint_id, due_at) where state = 'PENDING';
create unique index delivery_one_replay on delivery
  (merchant_id, environment, event_id, endpoint_id, event_written_at)
  where state = 'PENDING' and kind = 'REPLAY';
create index delivery_of_event on delivery (event_id, endpoint_id);
-- Few deliveries are given up: the log finds them without reading those that arrived.
create index delivery_given_up on delivery (merchant_id, environment, endpoint_id, delivery_id)
  where state = 'EXHAUSTED';
select protect_tenant_table('delivery', 'select, insert, update');
select ensure_partitions('delivery', 3);

create table webhook_attempt (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  delivery_id bigint not null,
  event_id uuid not null,
  attempt_no smallint not null,
  -- the tenant's time
  attempted_at timestamptz not null,
  -- DELIVERED, or what went wrong in one word
  outcome text not null,
  detail text,
  status_code smallint,
  -- another worker had taken the delivery over meanwhile
  superseded boolean not null default false,
  dns_ms real,
  connect_ms real,
  first_byte_ms real,
  total_ms real,
  peer_address text,
  request_headers text,
  body_sha256 bytea,
  response_headers text,
  response_body bytea,
  retry_after_s int,
  written_at timestamptz not null default now()
) partition by range (written_at);
comment on table webhook_attempt is 'Partitioned by day.';
create index webhook_attempt_of_delivery on webhook_attempt
  (merchant_id, environment, delivery_id, attempt_no);
create table webhook_attempt_default partition of webhook_attempt default;
-- Without a key, and carried to another cell with its merchant.
alter table webhook_attempt replica identity full;
alter table webhook_attempt_default replica identity full;
select protect_tenant_table('webhook_attempt', 'select');
select ensure_partitions('webhook_attempt', 3);

-- Apart from the endpoint, because every batch of deliveries writes it. Failures in a row are counted
-- by each dispatcher in memory: a row that changes so often grows a chain of versions.
create table webhook_endpoint_health (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  failure_count bigint not null default 0,
  last_delivered_at timestamptz,
  -- of the outage that goes on: the tenant's time
  failing_since timestamptz,
  last_error text,
  exhausted_count int not null default 0,
  exhausted_notified_at timestamptz,
  primary key (merchant_id, environment, endpoint_id),
  foreign key (merchant_id, environment, endpoint_id) references webhook_endpoint
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
create index webhook_endpoint_failing on webhook_endpoint_health (endpoint_id)
  where failing_since is not null;
select protect_tenant_table('webhook_endpoint_health', 'select, insert');

-- How well an endpoint received in each hour of the tenant's time. Written with its health, at most every
-- few seconds, so that the dashboard adds up hours and not attempts.
create table webhook_hour (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  endpoint_id uuid not null,
  hour timestamptz not null,
  attempts int not null,
  delivered int not null,
  took_ms bigint not null,
  slowest_ms int not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, environment, endpoint_id, hour)
) with (fillfactor = 70);
create index webhook_hour_age on webhook_hour (written_at);
select protect_tenant_table('webhook_hour', 'select');

-- A row means v2. The current secret never expires; an old one signs on for a while; a staged one
-- signs X-Service-Signature-Next until it becomes the current one.
create table webhook_signing_secret (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  secret_id uuid not null,
  secret_encrypted bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  is_next boolean not null default false,
  primary key (merchant_id, environment, secret_id)
);
create unique index webhook_signing_secret_current on webhook_signing_secret (merchant_id, environment)
  where expires_at is null and not is_next;
create unique index webhook_signing_secret_next on webhook_signing_secret (merchant_id, environment)
  where is_next;
select protect_tenant_table('webhook_signing_secret', 'select, insert, update');

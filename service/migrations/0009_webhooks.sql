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

-- The key copies a pause into the subscriptions, also into one that is made at the very moment of a
-- resume: otherwise that one would stay silent.
alter table subscription add foreign key (merchant_id, environment, endpoint_id, is_paused)
  references webhook_endpoint (merchant_id, environment, endpoint_id, is_paused) on update cascade;

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

-- Two or more partitions a day ahead; the oldest are dropped whole.

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
create index webhook_attempt_of_delivery on webhook_attempt
  (merchant_id, environment, delivery_id, attempt_no);
select ensure_day_partitions('webhook_attempt', 2);
create table webhook_attempt_default partition of webhook_attempt default;
select protect_tenant_table('webhook_attempt', 'select');

create table mail_outbox (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  mail_id bigint generated always as identity,
  kind text not null,
  dedupe_key text not null,
  recipient text,
  subject text not null,
  body text not null,
  created_at timestamptz not null,
  due_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz,
  attempts smallint not null default 0,
  sent_at timestamptz,
  last_error text,
  primary key (merchant_id, environment, mail_id),
  unique (merchant_id, environment, dedupe_key)
);
create index mail_outbox_due on mail_outbox (due_at) where sent_at is null;
select protect_tenant_table('mail_outbox', 'select');

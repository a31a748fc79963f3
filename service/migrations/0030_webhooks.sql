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
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, environment, endpoint_id),
  check ((auth_kind = 'NONE') = (auth_encrypted is null))
);
create index webhook_endpoint_newest on webhook_endpoint
  (merchant_id, environment, created_at desc, endpoint_id) where deleted_at is null;
select protect_tenant_table('webhook_endpoint', 'select, insert, update');

-- Apart from the endpoint, because every batch of deliveries writes it.
create table webhook_endpoint_health (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  failure_count bigint not null default 0,
  consecutive_failures int not null default 0,
  last_delivered_at timestamptz,
  -- of the outage that goes on: the tenant's time
  failing_since timestamptz,
  last_error text,
  exhausted_count int not null default 0,
  exhausted_notified_at timestamptz,
  -- real time: when the next probe may go out
  breaker_open_until timestamptz,
  primary key (merchant_id, environment, endpoint_id),
  foreign key (merchant_id, environment, endpoint_id) references webhook_endpoint
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
create index webhook_endpoint_failing on webhook_endpoint_health (endpoint_id)
  where failing_since is not null;
select protect_tenant_table('webhook_endpoint_health', 'select, insert');

-- That there is a row means v2. The current one never expires; an old one signs on for a while.
create table webhook_signing_secret (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  secret_id uuid not null,
  secret_encrypted bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  primary key (merchant_id, environment, secret_id)
);
create unique index webhook_signing_secret_current on webhook_signing_secret (merchant_id, environment)
  where expires_at is null;
select protect_tenant_table('webhook_signing_secret', 'select, insert, update');

-- Two or more partitions a day ahead; the oldest are dropped whole.
create function ensure_day_partitions(target regclass, days_ahead int) returns void
language plpgsql security definer set search_path = florin, pg_temp as $$
declare
  day date := (now() at time zone 'UTC')::date;
  partition text;
begin
  for ahead in 0..days_ahead loop
    partition := format('%s_%s', (select relname from pg_class where oid = target),
      to_char(day + ahead, 'YYYY_MM_DD'));
    if to_regclass('florin.' || partition) is null then
      execute format('create table florin.%I partition of %s for values from (%L) to (%L)', partition,
        target, (day + ahead) || ' 00:00+00', (day + ahead + 1) || ' 00:00+00');
    end if;
  end loop;
end $$;
revoke all on function ensure_day_partitions from public;
grant execute on function ensure_day_partitions to florin_system;

-- Drops the partitions whose name says that they end before the day; answers how many.
create function drop_partitions_before(target regclass, day date) returns int
language plpgsql security definer set search_path = florin, pg_temp as $$
declare
  partition record;
  dropped int := 0;
begin
  for partition in
    select c.relname, regexp_replace(c.relname, '^.*_(\d{4}_\d{2}(_\d{2})?)$', '\1') as stamp
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = target and c.relname ~ '_\d{4}_\d{2}(_\d{2})?$'
  loop
    if (case when length(partition.stamp) = 7
        then to_date(partition.stamp, 'YYYY_MM') + interval '1 month'
        else to_date(partition.stamp, 'YYYY_MM_DD') + interval '1 day' end) <= day then
      execute format('drop table florin.%I', partition.relname);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;
revoke all on function drop_partitions_before from public;
grant execute on function drop_partitions_before to florin_system;

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
create table webhook_attempt_otherwise partition of webhook_attempt default;
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

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

-- Few deliveries are given up: the log finds them without reading those that arrived.
create index delivery_given_up on delivery (merchant_id, environment, endpoint_id, delivery_id)
  where state = 'EXHAUSTED';

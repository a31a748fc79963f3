-- What programs called with a secret: no body, no id of a payer, and only the prefix of an address.
-- Written in batches beside the requests; a killed program loses those of a second.
create table request_log (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  log_id bigint generated always as identity,
  request_id text not null,
  requested_at timestamptz not null,
  method text not null,
  operation text not null,
  status smallint not null,
  failure text,
  took_ms real not null,
  address_prefix text not null,
  secret_id uuid not null,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, log_id, written_at)
) partition by range (written_at);
comment on table request_log is 'Partitioned by day.';
create table request_log_default partition of request_log default;
select protect_tenant_table('request_log', 'select');
select ensure_partitions('request_log', 3);

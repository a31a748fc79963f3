-- The first answer under an Idempotency-Key, given again for 72 hours. Never 401, 429 or 5xx.
create table idempotency (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  operation text not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  body_sha256 bytea not null check (length(body_sha256) = 32),
  status_code smallint,
  reply text,
  -- while the operation runs; a dead worker does not block the key for ever
  leased_until timestamptz,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, operation, idempotency_key)
);
create index idempotency_age on idempotency (written_at);
select protect_tenant_table('idempotency', 'select, insert, update, delete');

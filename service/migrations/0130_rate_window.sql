-- Requests of a secret in its latest second, counted by all programs. Worth nothing after a crash.
create unlogged table rate_window (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  secret_id uuid not null,
  window_second bigint not null,
  used int not null,
  primary key (merchant_id, environment, secret_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
select protect_tenant_table('rate_window', 'select, insert, update');

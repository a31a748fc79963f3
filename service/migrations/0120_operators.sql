-- Who operates this installation by the API. Only the digest of a secret is stored.
create table operator_secret (
  operator_secret_id uuid primary key,
  name text not null check (length(name) between 1 and 50),
  secret_sha256 bytea not null unique check (length(secret_sha256) = 32),
  last_four char(4) not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz
);
grant select, insert, update on operator_secret to florin_system;

-- What operators did, by API and by command: one row before it runs and one after it. Both are
-- written for ever.
create table operator_audit (
  record_id uuid primary key,
  started_at timestamptz not null default clock_timestamp(),
  channel text not null check (channel in ('API', 'COMMAND')),
  actor text not null,
  operator_secret_id uuid references operator_secret,
  address text not null,
  action text not null,
  merchant_id uuid,
  environment text check (environment in ('SANDBOX', 'PRODUCTION')),
  detail jsonb not null default '{}'
);
create index operator_audit_newest on operator_audit (started_at desc, record_id);
create index operator_audit_of_merchant
  on operator_audit (merchant_id, started_at desc, record_id);
create trigger operator_audit_append_only before update or delete or truncate on operator_audit
  for each statement execute function refuse_change();
select protect_tenant_table('operator_audit', 'select');
revoke update, delete on operator_audit from florin_system;

create table operator_audit_outcome (
  record_id uuid primary key references operator_audit,
  ended_at timestamptz not null default clock_timestamp(),
  outcome text not null
);
create trigger operator_audit_outcome_append_only
  before update or delete or truncate on operator_audit_outcome
  for each statement execute function refuse_change();
grant select, insert on operator_audit_outcome to florin_system;

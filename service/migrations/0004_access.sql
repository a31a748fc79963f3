-- Secrets are found by their SHA-256 through the directory; the encrypted copy signs v1 webhooks.
create table access_secret (
  merchant_id uuid not null references merchant,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  secret_id uuid not null,
  name text not null,
  last_four char(4) not null,
  secret_encrypted bytea not null,
  redirect_url text,
  web_origins text[] not null default '{}',
  is_read_only boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (merchant_id, environment, secret_id)
);
-- A browser's preflight names an origin and nothing else.
create index access_secret_origin on access_secret using gin (web_origins) where revoked_at is null;
select protect_tenant_table('access_secret', 'select, insert, update');

-- System tables: look-ups that have no tenant yet (ACCESS-10), and the operator's own account.
create table secret_directory (
  secret_sha256 bytea primary key check (length(secret_sha256) = 32),
  merchant_id uuid not null,
  environment text not null,
  secret_id uuid not null
);
grant select, insert, delete on secret_directory to florin_tenant, florin_system;

create table public_id (
  public_id text not null,
  kind text not null check (kind in (
    'PAYMENT_REQUEST', 'ATTEMPT', 'BANK_STATE', 'BANK_AUTHORISATION', 'BANK_LINK_STATE',
    'BANK_ACCOUNT', 'IMAGE', 'LINK', 'REFUND', 'PAYOUT', 'PAYMENT_CODE')),
  merchant_id uuid not null,
  environment text not null,
  target_id uuid not null,
  primary key (public_id, kind)
);
grant select, insert on public_id to florin_tenant, florin_system;

-- A whole key: what is carried to another cell is found by its merchant.
alter table secret_directory replica identity full;
alter table public_id replica identity full;

-- This installation, and others that merchants are moved to and come from (docs/CELLS.md).
create table cell (
  cell_id uuid primary key default gen_random_uuid(),
  -- where programs of other cells reach its API; null: this one, whose address the others know
  address text unique
);
create unique index cell_this on cell ((true)) where address is null;
insert into cell default values;
grant select, insert, update on cell to florin_system;
grant select on cell to florin_tenant;

-- A merchant that is carried to another cell, or came from one: the last move that this cell knows.
create table cell_move (
  merchant_id uuid primary key,
  move_id uuid not null,
  -- counts the moves of a merchant, in both cells: of two cells that differ, that with the higher is right
  version int not null check (version > 0),
  status text not null check (status in (
    'PREPARING', 'COPYING', 'PAUSED', 'GONE', 'CANCELLED', 'ARRIVING', 'HERE', 'UNDONE')),
  -- to which it goes, or from which it comes
  other_cell_id uuid not null references cell,
  -- of the cell that it comes to: each pause, and its end, takes the right to open from those before
  pauses int not null default 0,
  -- it was here and in the other before: what leads its secrets and links on stays when the move is
  -- cancelled, and it moves to no third
  was_here boolean not null default false,
  -- of a cell that it left: what is there, closed, is no copy of it any more, or never was whole
  is_removed boolean not null default false,
  -- when it came here last: the bank has listed what was booked before on the account of the other cell
  came_at timestamptz,
  -- a server that was restored or promoted since may have lost what the move did
  began_in_epoch int not null default newest_epoch(),
  moved_by text not null,
  began_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
comment on table cell_move is 'Not replicated: each cell has its own side of a move.';
create index cell_move_away on cell_move (other_cell_id) where status in ('GONE', 'ARRIVING', 'UNDONE');
select protect_tenant_table('cell_move', 'select');

-- Of an epoch that nobody has confirmed the end of a move may be missing, and that the merchant went.
grant select on cluster_epoch to florin_tenant;
create function may_have_gone(status text) returns boolean language sql stable parallel safe as $$
  select status in ('PREPARING', 'COPYING')
    and exists (select from florin.cluster_epoch e where e.confirmed_at is null)
$$;

-- While a merchant is carried, policies of its tables call these two. Work across merchants leaves its rows.
create function cell_has(status text) returns boolean language sql stable parallel safe as $$
  select status in ('PREPARING', 'COPYING', 'CANCELLED', 'HERE') and not florin.may_have_gone(status)
$$;

-- What is done for the merchant itself is refused: read and written it may be in one cell alone.
create function require_in_cell(of_merchant uuid, is_write boolean) returns boolean
language plpgsql stable parallel safe as $$
declare
  found record;
begin
  select m.status, c.address into found from florin.cell_move m
    join florin.cell c on c.cell_id = m.other_cell_id where m.merchant_id = of_merchant;
  if found.status in ('GONE', 'ARRIVING', 'UNDONE') then
    raise exception using errcode = 'FL002', detail = found.address,
      message = 'The merchant is in another cell.';
  elsif is_write and (found.status = 'PAUSED' or florin.may_have_gone(found.status)) then
    raise exception using errcode = 'FL001', message = 'The merchant is being moved to another cell.';
  end if;
  return true;
end $$;

-- Before work across merchants takes what it does not find for unknown: it may be among rows that are hidden
-- until a move goes on, or an epoch is confirmed.
create function require_none_hidden() returns boolean
language plpgsql stable parallel safe as $$
begin
  if exists (select from florin.cell_move m where m.status = 'PAUSED' or florin.may_have_gone(m.status)) then
    raise exception using errcode = 'FL001', message = 'A merchant is being moved to another cell.';
  end if;
  return true;
end $$;

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

-- Requests of a secret in its latest second, counted by all programs. Worth nothing after a crash.
create unlogged table rate_window (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  secret_id uuid not null,
  window_second bigint not null,
  used int not null,
  primary key (merchant_id, environment, secret_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
comment on table rate_window is 'Not replicated: the counts of a second.';
select protect_tenant_table('rate_window', 'select, insert, update');

-- The first reply under an Idempotency-Key, repeated for 72 hours. Never 401, 429 or 5xx.
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
  -- who runs the operation now: a claim that was taken over writes nothing
  claimed_by uuid,
  -- what the operation decided before its first effect, so that a takeover decides the same
  intent text,
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, operation, idempotency_key, written_at)
) partition by range (written_at);
comment on table idempotency is 'Partitioned by day.';
create table idempotency_default partition of idempotency default;
select protect_tenant_table('idempotency', 'select, insert, update, delete');

-- A unique index over partitions would hold the time, so the key is kept unique by a lock: who waits
-- for it looks again and inserts nothing.
create function refuse_known_idempotency_key() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(
    concat_ws(' ', new.merchant_id, new.environment, new.operation, new.idempotency_key), 0));
  if exists (select from florin.idempotency i
    where i.merchant_id = new.merchant_id and i.environment = new.environment
      and i.operation = new.operation and i.idempotency_key = new.idempotency_key)
  then
    return null;
  end if;
  return new;
end $$;
create trigger idempotency_unique before insert on idempotency
  for each row execute function refuse_known_idempotency_key();

-- For a statement that must fail as a whole where another call holds its key.
create function require_idempotency_key(is_claimed boolean) returns boolean language plpgsql as $$
begin
  if not is_claimed then
    raise unique_violation using constraint = 'idempotency_pkey', message = 'Idempotency-Key in use';
  end if;
  return true;
end $$;
select ensure_partitions('idempotency', 3);

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

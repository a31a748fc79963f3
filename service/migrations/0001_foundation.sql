-- Two roles, neither owning a table: florin_tenant sees one merchant's rows, florin_system claims
-- work and proves books across merchants. Roles belong to the whole server, so they may exist.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['florin_tenant', 'florin_system'] loop
    begin
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception when duplicate_object or unique_violation then
      null;
    end;
    -- From PostgreSQL 16 on who makes a role may give it away, and yet not use it.
    if not pg_has_role(current_user, role_name, 'USAGE') then
      execute format('grant %I to %I', role_name, current_user);
    end if;
    execute format('grant usage on schema florin to %I', role_name);
  end loop;
  -- How far standbys are behind: only a superuser may give this.
  if not pg_has_role('florin_system', 'pg_read_all_stats', 'USAGE') then
    begin
      grant pg_read_all_stats to florin_system;
    exception when insufficient_privilege then
      null;
    end;
  end if;
end $$;

-- Row-level security for a table of merchant data. `rights` are those of the tenant's role. Policies
-- compare with a setting and read nothing: a sub-query is planned for each table of each statement.
create function protect_tenant_table(target regclass, rights text) returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to florin_tenant
       using (merchant_id = any (current_setting(''florin.merchants'')::uuid[]))', target);
  execute format('create policy system on %s to florin_system using (true)', target);
  execute format('grant %s on %s to florin_tenant', rights, target);
  execute format('grant select, insert, update, delete on %s to florin_system', target);
end $$;

-- Append-only: history and books are never changed, not even by us.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- Keys that must outlive a master key: fingerprints of saved cards, tokens of open forms.
create table purpose_key (
  purpose text primary key,
  key_encrypted bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
grant select, insert, update on purpose_key to florin_system;

-- Written by the readiness check: a server without space answers reads for a long time.
create table health_probe (
  probe_id int primary key check (probe_id = 1),
  written_at timestamptz not null
) with (fillfactor = 50);
insert into health_probe values (1, now());
grant select, update on health_probe to florin_system;

-- An update of one row finds room in pages that exist, also on a full disk. What is listed here is larger
-- than its memory, so it is written to a file that did not exist, in the database's own folder.
create function probe_space() returns bigint
language sql volatile
set work_mem = '64kB'
set temp_tablespaces = ''
as $$
  select count(n.*) from generate_series(1, 50000) n
$$;

-- Events, ledger entries and the cursors over them are in the order of transaction numbers. A new cluster
-- counts from the beginning, and a server that was restored to a moment counts again what it counted after
-- it. So each cluster, timeline (each recovery and each promotion begins one) and schema (each restored dump
-- makes one) is an epoch: its numbers are far above all earlier ones. Only these functions read transaction
-- numbers; two are made anew for each epoch, so that a write looks nothing up.
create table cluster_epoch (
  epoch int primary key,
  system_identifier bigint not null,
  timeline int not null,
  schema_oid oid not null,
  raised_by bigint not null,
  began_at timestamptz not null default clock_timestamp(),
  -- What was written last before may be missing: programs start when an operator has said that this is known.
  confirmed_at timestamptz,
  confirmed_by text
);
create index cluster_epoch_unconfirmed on cluster_epoch (epoch) where confirmed_at is null;
grant select, update (confirmed_at, confirmed_by) on cluster_epoch to florin_system;

-- Also tells since when nobody has verified the books of a new installation.
grant select on migration to florin_system;

create function written_in() returns xid8 language sql stable as $$ select pg_current_xact_id() $$;

-- Everything below the oldest open transaction is final.
create function written_horizon() returns xid8 language sql stable as
  $$ select pg_snapshot_xmin(pg_current_snapshot()) $$;

create function is_known_epoch() returns boolean language sql volatile as $$
  select coalesce((
    select (e.system_identifier, e.timeline, e.schema_oid)
      = (c.system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
         'florin'::regnamespace::oid)
    from florin.cluster_epoch e, pg_control_system() c order by e.epoch desc limit 1), false)
$$;

create function number_from(raised_by bigint) returns void
language plpgsql set search_path = florin, pg_temp as $$
begin
  execute format('create or replace function florin.written_in() returns xid8 language sql stable as
    $f$ select (pg_current_xact_id()::text::bigint + %s)::text::xid8 $f$', raised_by);
  execute format('create or replace function florin.written_horizon() returns xid8
    language sql stable as
    $f$ select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + %s)::text::xid8 $f$',
    raised_by);
end $$;
revoke all on function number_from from public;

-- Each new connection of a program calls it, so nothing is written in an epoch that has not begun.
create function begin_cluster_epoch() returns void
language plpgsql security definer set search_path = florin, pg_temp as $$
declare
  -- More transactions than a server runs in years: those that a restore took away had such numbers.
  gap constant bigint := 1::bigint << 40;
  last record;
  newest numeric := 0;
  raised_by bigint := 0;
begin
  if is_known_epoch() then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('florin epoch', 0));
  if is_known_epoch() then
    return;
  end if;
  select * into last from cluster_epoch order by epoch desc limit 1;
  if last.epoch is not null then
    newest := pg_current_xact_id()::text::numeric + last.raised_by;
    -- In its own cluster a number is never below what was written there.
    if last.system_identifier <> (select system_identifier from pg_control_system()) then
      select greatest(newest, max(written)) into newest from (
        select max(written_in::text::numeric) as written from event
        union all select max(written_in::text::numeric) from ledger_entry
        union all select max(up_to_written_in::text::numeric) from ledger_snapshot
        union all select max(up_to_written_in::text::numeric) from payout_cursor) w;
    end if;
    raised_by := newest + gap - pg_current_xact_id()::text::numeric;
  end if;
  insert into cluster_epoch (epoch, system_identifier, timeline, schema_oid, raised_by, confirmed_at,
      confirmed_by)
    select coalesce(last.epoch, 0) + 1, c.system_identifier,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
      'florin'::regnamespace::oid, raised_by,
      case when last.epoch is null then clock_timestamp() end,
      case when last.epoch is null then 'the first start' end
    from pg_control_system() c;
  perform number_from(raised_by);
end $$;
-- Also on a standby, which knows no position in the log that it writes.
create function newest_epoch() returns int
language sql stable security definer set search_path = florin, pg_temp as
  $$ select max(epoch) from cluster_epoch $$;

revoke all on function begin_cluster_epoch, newest_epoch from public;
grant execute on function begin_cluster_epoch, newest_epoch to florin_tenant, florin_system;

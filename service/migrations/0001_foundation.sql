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
    if not pg_has_role(current_user, role_name, 'MEMBER') then
      execute format('grant %I to %I', role_name, current_user);
    end if;
    execute format('grant usage on schema florin to %I', role_name);
  end loop;
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
-- counts from the beginning, so a restored dump would put new rows before old ones. Each cluster that the
-- data lives in is an epoch: its numbers are raised above all earlier ones. Only these two functions read
-- transaction numbers; they are made anew for each epoch, so that a write looks nothing up.
create table cluster_epoch (
  epoch int primary key,
  system_identifier bigint not null,
  raised_by bigint not null,
  began_at timestamptz not null default clock_timestamp()
);
grant select on cluster_epoch to florin_system;

-- Also tells since when nobody has verified the books of a new installation.
grant select on migration to florin_system;

create function written_in() returns xid8 language sql stable as $$ select pg_current_xact_id() $$;

-- Everything below the oldest open transaction is final.
create function written_horizon() returns xid8 language sql stable as
  $$ select pg_snapshot_xmin(pg_current_snapshot()) $$;

create function begin_cluster_epoch() returns void language plpgsql as $$
declare
  here bigint := (select system_identifier from pg_control_system());
  last record;
  newest numeric;
  raised_by bigint;
begin
  select * into last from florin.cluster_epoch order by epoch desc limit 1;
  if last.system_identifier = here then
    return;
  end if;
  select coalesce(max(written), 0) into newest from (
    select max(written_in::text::numeric) as written from florin.event
    union all select max(written_in::text::numeric) from florin.ledger_entry
    union all select max(up_to_written_in::text::numeric) from florin.ledger_snapshot
    union all select max(up_to_written_in::text::numeric) from florin.payout_cursor) w;
  raised_by := greatest(0, newest + 1 - pg_current_xact_id()::text::numeric);
  insert into florin.cluster_epoch (epoch, system_identifier, raised_by)
    values (coalesce(last.epoch, 0) + 1, here, raised_by);
  execute format('create or replace function florin.written_in() returns xid8 language sql stable as
    $f$ select (pg_current_xact_id()::text::bigint + %s)::text::xid8 $f$', raised_by);
  execute format('create or replace function florin.written_horizon() returns xid8
    language sql stable as
    $f$ select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + %s)::text::xid8 $f$',
    raised_by);
end $$;
revoke all on function begin_cluster_epoch from public;

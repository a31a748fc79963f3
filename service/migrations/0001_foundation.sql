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

-- Row-level security for a table of merchant data. `rights` are those of the tenant's role.
create function protect_tenant_table(target regclass, rights text) returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant on %s to florin_tenant
       using (merchant_id = any ((select current_setting(''florin.merchants''))::uuid[]))', target);
  execute format('create policy system on %s to florin_system using (true)', target);
  execute format('grant %s on %s to florin_tenant', rights, target);
  execute format('grant select, insert, update, delete on %s to florin_system', target);
end $$;

-- Tables that grow for ever are partitioned by month or day of `written_at`, so that pruning drops a
-- partition. Partitions are made and dropped while the programs run, whose roles own no table.
create function ensure_month_partitions(target regclass, months_ahead int) returns void
language plpgsql security definer set search_path = florin, pg_temp as $$
declare
  month date := date_trunc('month', now())::date;
  partition text;
begin
  for ahead in 0..months_ahead loop
    partition := format('%s_%s', (select relname from pg_class where oid = target),
      to_char(month + make_interval(months => ahead), 'YYYY_MM'));
    if to_regclass('florin.' || partition) is null then
      execute format('create table florin.%I partition of %s for values from (%L) to (%L)', partition,
        target, month + make_interval(months => ahead), month + make_interval(months => ahead + 1));
    end if;
  end loop;
end $$;

revoke all on function ensure_month_partitions from public;
grant execute on function ensure_month_partitions to florin_system;

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

-- Append-only: history and books are never changed, not even by us.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

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
  written_at timestamptz not null default now(),
  primary key (merchant_id, environment, operation, idempotency_key)
);
create index idempotency_age on idempotency (written_at);
select protect_tenant_table('idempotency', 'select, insert, update, delete');

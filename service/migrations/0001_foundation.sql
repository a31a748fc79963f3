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

-- Tables that grow for ever are cut by month of their `written_at`, so that pruning drops a partition.
create function ensure_month_partitions(target regclass, months_ahead int) returns void
language plpgsql as $$
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

-- Append-only: history and books are never changed, not even by us.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

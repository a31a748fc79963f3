-- Policies compare with a setting and read nothing: a sub-query is planned for each table of each statement.
create or replace function protect_tenant_table(target regclass, rights text) returns void
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

do $$
declare
  target regclass;
begin
  for target in select polrelid from pg_policy
    where polname = 'tenant' and polrelid in (
      select oid from pg_class where relnamespace = 'florin'::regnamespace)
    order by polrelid
  loop
    execute format(
      'alter policy tenant on %s
         using (merchant_id = any (current_setting(''florin.merchants'')::uuid[]))', target);
  end loop;
end $$;

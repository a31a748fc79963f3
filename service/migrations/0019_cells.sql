-- What is carried when a merchant moves to another cell: every table that names it, found in the catalogue.
-- A table whose comment begins with "Not replicated:" stays, and says why.
create function cell_tables() returns table (table_name text)
language sql stable set search_path = florin, pg_temp as $$
  select c.relname::text from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped
  where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and coalesce(obj_description(c.oid, 'pg_class'), '') not like 'Not replicated:%'
    -- detached, and dropped next
    and c.relname !~ '_\d{4}_\d{2}(_\d{2})?$'
  order by 1
$$;

-- Whose rows a table keeps from everybody while `cell_move` says that they are elsewhere: as its policy lists
-- them.
create function fenced_merchants(target text) returns uuid[]
language sql volatile set search_path = florin, pg_temp as $$
  select coalesce(array_agg(found[1]::uuid), '{}')
  from pg_policy p, regexp_matches(pg_get_expr(p.polqual, p.polrelid),
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') as found
  where p.polrelid = target::regclass and p.polname = 'cell'
$$;

-- One policy for all of them, whose list is hashed: one of each would be planned in every statement on the
-- table, for ever, since who has gone stays fenced. Other merchants pay one look into the list a row.
-- The owner, who has the rights of both roles, dumps and migrates every row: programs alone are kept out.
create function fence_merchants(target text, of_merchants uuid[]) returns void
language plpgsql set search_path = florin, pg_temp as $$
declare
  others text := format('(merchant_id <> all (%L::uuid[])) is not false
    or current_user not in (''florin_system'', ''florin_tenant'')', of_merchants);
  policy text;
begin
  foreach policy in array array['cell work', 'cell', 'cell delete'] loop
    execute format('drop policy if exists %I on %I', policy, target);
  end loop;
  if cardinality(of_merchants) = 0 then
    return;
  end if;
  -- What is looked up before it is known whose it is, and logs and leases that one statement writes for
  -- many merchants, stay open to work across merchants: no money and no status stands there.
  if target not in ('access_secret', 'card_account', 'page_opening', 'request_log', 'webhook_attempt',
    'webhook_hour', 'work_lease')
  then
    execute format('create policy "cell work" on %I as restrictive to florin_system
      using (%s or merchant_id not in (select m.merchant_id from cell_move m where not cell_has(m.status)))
      with check (%s or require_in_cell(merchant_id, true))', target, others, others);
  end if;
  execute format('create policy cell on %I as restrictive to florin_tenant
    using (%s or require_in_cell(merchant_id, false)) with check (%s or require_in_cell(merchant_id, true))',
    target, others, others);
  execute format('create policy "cell delete" on %I as restrictive for delete to florin_tenant
    using (%s or require_in_cell(merchant_id, true))', target, others);
end $$;

create function fence_cell_table(target text, of_merchant uuid) returns void
language plpgsql set search_path = florin, pg_temp as $$
begin
  -- Another move may change the list: it is read when that has ended. Partitions are read through their
  -- table: one that autovacuum works on is not waited for.
  execute format('lock table only %I in access exclusive mode', target);
  perform fence_merchants(target,
    array_append(array_remove(fenced_merchants(target), of_merchant), of_merchant));
end $$;

create function open_cell_table(target text, of_merchant uuid) returns void
language plpgsql set search_path = florin, pg_temp as $$
begin
  execute format('lock table only %I in access exclusive mode', target);
  if of_merchant = any (fenced_merchants(target)) then
    perform fence_merchants(target, array_remove(fenced_merchants(target), of_merchant));
  end if;
end $$;

-- Numbers of transactions above all that another cell has given, so that cursors over events go on here.
-- Writers are kept out meanwhile: one that began before would write a number below what was read.
create function raise_cluster_epoch(above xid8) returns boolean
language plpgsql security definer set search_path = florin, pg_temp as $$
declare
  gap constant bigint := 1::bigint << 40;
  last cluster_epoch;
  raised bigint;
begin
  if written_in()::text::numeric >= above::text::numeric + gap / 2 then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('florin epoch', 0));
  lock table event, ledger_entry, ledger_snapshot, payout_cursor, money_day_cursor
    in share row exclusive mode;
  select * into strict last from cluster_epoch order by epoch desc limit 1;
  raised := above::text::bigint + gap - pg_current_xact_id()::text::bigint;
  insert into cluster_epoch (epoch, system_identifier, timeline, schema_oid, raised_by, confirmed_at,
      confirmed_by)
    values (last.epoch + 1, last.system_identifier, last.timeline, last.schema_oid, raised,
      clock_timestamp(), 'a merchant came from another cell');
  perform number_from(raised);
  return true;
end $$;

revoke all on function fenced_merchants, fence_merchants, fence_cell_table, open_cell_table,
  raise_cluster_epoch from public;
grant execute on function raise_cluster_epoch to florin_system;

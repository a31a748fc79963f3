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

-- Lets nobody touch this merchant's rows of a table while `cell_move` says that they are elsewhere. Other
-- merchants pay one comparison a row, as long as it is there.
create function fence_cell_table(target text, of_merchant uuid) returns void
language plpgsql set search_path = florin, pg_temp as $$
declare
  others text := format('merchant_id is distinct from %L::uuid', of_merchant);
begin
  perform open_cell_table(target, of_merchant);
  -- What is looked up before it is known whose it is, and logs and leases that one statement writes for
  -- many merchants, stay open to work across merchants: no money and no status stands there.
  if target not in ('access_secret', 'card_account', 'page_opening', 'request_log', 'webhook_attempt',
    'webhook_hour', 'work_lease')
  then
    execute format('create policy %I on %I as restrictive to florin_system
      using (%s or cell_has(%L)) with check (%s or require_in_cell(%L, true))',
      'cell work ' || of_merchant, target, others, of_merchant, others, of_merchant);
  end if;
  execute format('create policy %I on %I as restrictive to florin_tenant
    using (%s or require_in_cell(%L, false)) with check (%s or require_in_cell(%L, true))',
    'cell ' || of_merchant, target, others, of_merchant, others, of_merchant);
  execute format('create policy %I on %I as restrictive for delete to florin_tenant
    using (%s or require_in_cell(%L, true))', 'cell delete ' || of_merchant, target, others,
    of_merchant);
end $$;

create function open_cell_table(target text, of_merchant uuid) returns void
language plpgsql set search_path = florin, pg_temp as $$
declare
  kind text;
begin
  foreach kind in array array['cell work ', 'cell ', 'cell delete '] loop
    execute format('drop policy if exists %I on %I', kind || of_merchant, target);
  end loop;
end $$;

-- Numbers of transactions above all that another cell has given, so that cursors over events go on here.
-- Writers are kept out meanwhile: one that began before would write a number below what was read.
create function raise_cluster_epoch(above xid8) returns boolean
language plpgsql set search_path = florin, pg_temp as $$
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

revoke all on function fence_cell_table, open_cell_table, raise_cluster_epoch from public;

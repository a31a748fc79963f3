-- Every partitioned table, found in the catalogue, gets its partitions ahead of time by one job. A table
-- is partitioned by month unless its comment says "by day". Bounds are in UTC, whatever zone the server
-- has: the functions set it. They run as the owner, because the programs' roles own no table.
create function partitioned_tables()
returns table (table_name text, step text, written_column text)
language sql stable set search_path = florin, pg_temp as $$
  select c.relname::text,
    case when obj_description(c.oid, 'pg_class') like '%by day%' then 'day' else 'month' end,
    a.attname::text
  from pg_partitioned_table p
  join pg_class c on c.oid = p.partrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
  where c.relnamespace = 'florin'::regnamespace and not c.relispartition
  order by c.relname
$$;

create function partition_bounds(target text)
returns table (partition_name text, begins timestamptz, ends timestamptz)
language sql stable set search_path = florin, pg_temp set timezone = 'UTC' as $$
  select c.relname::text, (b.found)[1]::timestamptz, (b.found)[2]::timestamptz
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  cross join lateral (select regexp_match(pg_get_expr(c.relpartbound, c.oid),
    'FROM \(''([^'']+)''\) TO \(''([^'']+)''\)') as found) b
  where i.inhparent = to_regclass('florin.' || quote_ident(target)) and b.found is not null
$$;

-- Makes the partitions of this period (or since a moment) and of those ahead, and one for each row that had
-- none: answers how many such rows were found in the DEFAULT partition. A new partition is made like the
-- DEFAULT one, with its storage settings and with the indexes that only partitions have.
create function ensure_partitions(target text, ahead int, since timestamptz default now())
returns bigint
language plpgsql security definer
set search_path = florin, pg_temp set timezone = 'UTC' set lock_timeout = '2s' as $$
declare
  fallback text := target || '_default';
  known record;
  periods timestamptz[];
  period timestamptz;
  partition text;
  options text;
  moved bigint;
  found bigint := 0;
  -- While a merchant is carried to another cell, what moves in would not be sent, and its removal would be.
  is_carried boolean := exists (select from pg_publication where pubname like 'florin\_cell\_%');
  stays boolean;
begin
  -- Of two workers one makes them.
  perform pg_advisory_xact_lock(hashtextextended('florin partitions', 0));
  select * into strict known from partitioned_tables() t where t.table_name = target;
  select ' with (' || array_to_string(reloptions, ', ') || ')' into options from pg_class
    where oid = to_regclass('florin.' || quote_ident(fallback));
  execute format(
    'select array(select distinct date_trunc(%L, %I) as begins from %I
     union select generate_series(date_trunc(%L, $2), date_trunc(%L, now()) + $1 * %L::interval, %L)
     order by begins)',
    known.step, known.written_column, fallback, known.step, known.step, '1 ' || known.step,
    '1 ' || known.step)
    into periods using ahead, since;
  foreach period in array periods loop
    partition := target || '_' || to_char(period,
      case known.step when 'day' then 'YYYY_MM_DD' else 'YYYY_MM' end);
    continue when to_regclass('florin.' || quote_ident(partition)) is not null;
    if is_carried then
      execute format('select exists (select from %1$I
        where %2$I >= $1 - interval ''14 hours'' and %2$I < $1 + %3$L::interval)',
        fallback, known.written_column, '1 ' || known.step) into stays using period;
      continue when stays;
    end if;
    execute format('create table %I (like %I including all excluding identity)%s', partition,
      fallback, options);
    if (select relreplident = 'f' from pg_class where oid = fallback::regclass) then
      execute format('alter table %I replica identity full', partition);
    end if;
    declare
      -- An older partition may end at midnight of another zone: the next one begins there.
      begins timestamptz := coalesce((select max(b.ends) from partition_bounds(target) b
        where b.ends between period - interval '14 hours'
          and period + interval '14 hours'), period);
      ends timestamptz := period + ('1 ' || known.step)::interval;
    begin
      execute format('lock table %I in access exclusive mode', fallback);
      execute format('insert into %1$I select * from %2$I where %3$I >= %4$L and %3$I < %5$L',
        partition, fallback, known.written_column, begins, ends);
      get diagnostics moved = row_count;
      if moved > 0 then
        execute format('alter table %I disable trigger user', fallback);
        execute format('delete from %1$I where %2$I >= %3$L and %2$I < %4$L', fallback,
          known.written_column, begins, ends);
        execute format('alter table %I enable trigger user', fallback);
      end if;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', target,
        partition, begins, ends);
    end;
    found := found + moved;
  end loop;
  return found;
end $$;

create function count_default_rows(target text) returns bigint
language plpgsql stable security definer set search_path = florin, pg_temp as $$
declare
  found bigint;
begin
  execute format('select count(*) from (select from %I limit 1000) r', target || '_default') into found;
  return found;
end $$;

-- Detaching needs the whole table for a moment, so it waits only briefly; dropping needs it no more.
create function detach_partitions_before(target text, moment timestamptz) returns int
language plpgsql security definer
set search_path = florin, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
  old record;
  detached int := 0;
begin
  for old in select * from partition_bounds(target) b where b.ends <= moment order by b.ends loop
    execute format('alter table %I detach partition %I', target, old.partition_name);
    detached := detached + 1;
  end loop;
  return detached;
end $$;

-- Of a table that another worker drops at this moment the size is null: it is not answered.
create function detached_partitions(target text) returns table (partition_name text, blocks int)
language sql stable security definer set search_path = florin, pg_temp as $$
  select c.relname::text, (size.bytes / current_setting('block_size')::int)::int
  from pg_class c cross join lateral pg_relation_size(c.oid) size(bytes)
  where c.relnamespace = 'florin'::regnamespace and c.relkind = 'r' and not c.relispartition
    and c.relname ~ ('^' || target || '_\d{4}_\d{2}(_\d{2})?$') and size.bytes is not null
  order by 1
$$;

-- Nothing is written to a detached partition any more, so its rows can be read by where they lie.
create function read_detached_partition(target text, partition text, from_block int, to_block int)
returns setof text
language plpgsql stable security definer set search_path = florin, pg_temp set timezone = 'UTC' as $$
begin
  perform from detached_partitions(target) d where d.partition_name = partition;
  if not found then raise '% is no detached partition of %', partition, target; end if;
  return query execute format(
    'select row_to_json(r)::text from %I r where ctid >= %L and ctid < %L', partition,
    format('(%s,0)', from_block), format('(%s,0)', to_block));
end $$;

create function drop_detached_partition(target text, partition text) returns boolean
language plpgsql security definer set search_path = florin, pg_temp as $$
begin
  perform from detached_partitions(target) d where d.partition_name = partition;
  if found then execute format('drop table if exists %I', partition); end if;
  return found;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['partitioned_tables()', 'partition_bounds(text)',
    'ensure_partitions(text, int, timestamptz)', 'count_default_rows(text)',
    'detach_partitions_before(text, timestamptz)', 'detached_partitions(text)',
    'read_detached_partition(text, text, int, int)', 'drop_detached_partition(text, text)']
  loop
    execute format('revoke all on function florin.%s from public', name);
    execute format('grant execute on function florin.%s to florin_system', name);
  end loop;
end $$;

import type pg from 'pg';

/** One column of a row that a statement changed, or a whole row that it added or deleted. */
export type Change = {
  /** `table.column`, `+table` or `-table`. */
  readonly key: string;
  readonly merchantId: string | null;
  /** Null where the table holds what both environments share. */
  readonly environment: string | null;
};

/** Notes every change of every table from now on; answers those since its last answer. */
export const watchChanges = async (
  client: pg.Client,
): Promise<() => Promise<readonly Change[]>> => {
  await client.query(noteChanges);
  return async () => {
    const { rows } = await client.query<Change>(
      `with taken as (delete from watch.change returning key, merchant_id, environment)
       select distinct key, merchant_id as "merchantId", environment from taken order by key`,
    );
    return rows;
  };
};

const noteChanges = `
  set search_path = florin;
  create schema watch;
  create table watch.change (key text, merchant_id text, environment text);
  create function watch.note() returns trigger language plpgsql security definer as $$
    declare
      name text := coalesce(pg_partition_root(tg_relid), tg_relid)::regclass::text;
      before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
      after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
      held jsonb := coalesce(after, before);
    begin
      insert into watch.change
        select key, held ->> 'merchant_id', held ->> 'environment' from (
          select case tg_op when 'INSERT' then '+' else '-' end || name as key where tg_op <> 'UPDATE'
          union all
          select name || '.' || c.key from jsonb_each(after) c
          where tg_op = 'UPDATE' and c.value is distinct from before -> c.key) found;
      return null;
    end $$;
  alter function watch.note() set search_path = florin;
  do $$ declare name text; begin
    for name in select relname from pg_class
      where relnamespace = 'florin'::regnamespace and relkind in ('r', 'p') and not relispartition
    loop
      execute format('create trigger watch after insert or update or delete on %I
        for each row execute function watch.note()', name);
    end loop;
  end $$`;

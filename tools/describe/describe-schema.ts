import pg from 'pg';

/** The schema of a migrated database as SQL: what a reader needs, in the order of the names. */
export const describeSchema = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set search_path = florin');
    const tables = await client.query<TableRow>(tablesSql);
    const functions = await client.query<{ definition: string }>(functionsSql);
    const blocks = [
      '-- Generated from the migrated database by `npm run generate`: do not edit it here.',
      ...tables.rows.map(describeTable),
      ...functions.rows.map(({ definition }) => `${definition.trim()};`),
    ];
    return `${blocks.join('\n\n')}\n`;
  } finally {
    await client.end();
  }
};

type TableRow = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly constraints: readonly string[];
  readonly partition: string | null;
  readonly options: readonly string[] | null;
  readonly after: readonly string[];
};

const describeTable = ({ name, columns, constraints, partition, options, after }: TableRow) => {
  const members = [...columns, ...constraints].map((member) => `  ${member}`).join(',\n');
  const by = partition ? ` partition by ${partition.toLowerCase()}` : '';
  const given = options ? ` with (${options.join(', ')})` : '';
  return [`create table ${name} (\n${members}\n)${by}${given};`, ...after].join('\n');
};

// Partitions follow their table; those of the months and days are made by a job.
const tablesSql = `
  select c.relname as name, c.reloptions as options,
    pg_get_partkeydef(c.oid) as partition,
    array(select concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
        case when l.collname <> 'default' then 'collate "' || l.collname || '"' end,
        case when a.attgenerated = 's'
          then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
          when a.attidentity = 'a' then 'generated always as identity'
          else 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
        case when a.attnotnull then 'not null' end)
      from pg_attribute a
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      left join pg_collation l on l.oid = a.attcollation
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      order by a.attnum) as columns,
    array(select 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
      from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c')
      order by array_position(array['p', 'u', 'f', 'c']::"char"[], k.contype), k.conname)
      as constraints,
    array(select replace(pg_get_indexdef(i.indexrelid), 'florin.', '') || ';' from pg_index i
        join pg_class n on n.oid = i.indexrelid
        where i.indrelid = c.oid and not exists (
          select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
        order by n.relname)
      || array(select replace(pg_get_triggerdef(t.oid), 'florin.', '') || ';' from pg_trigger t
        where t.tgrelid = c.oid and not t.tgisinternal order by t.tgname)
      || array(select format('-- policy %s to %s using %s', p.policyname, array_to_string(p.roles, ', '),
          p.qual) from pg_policies p
        where p.schemaname = 'florin' and p.tablename = c.relname order by p.policyname)
      || array(select format('grant %s on %s to %s;', lower(string_agg(g.privilege_type, ', '
          order by g.privilege_type)), c.relname, g.grantee)
        from information_schema.role_table_grants g
        where g.table_schema = 'florin' and g.table_name = c.relname
          and g.grantee in ('florin_tenant', 'florin_system')
        group by g.grantee order by g.grantee) as after
  from pg_class c
  where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition and c.relname <> 'migration'
  order by c.relname`;

const functionsSql = `
  select pg_get_functiondef(p.oid) as definition from pg_proc p
  where p.pronamespace = 'florin'::regnamespace order by p.proname`;

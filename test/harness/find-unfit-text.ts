import type pg from 'pg';

/**
 * Columns of text in which a row holds control characters other than a tab and the end of a line,
 * or what turns the direction of writing, with one such row each.
 */
export const findUnfitText = async (client: pg.Client): Promise<readonly string[]> => {
  const { rows } = await client.query<{ name: string; column: string; isJson: boolean }>(`
    select c.relname as name, a.attname as column,
      format_type(a.atttypid, null) in ('json', 'jsonb') as "isJson"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'florin'::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped
      and format_type(a.atttypid, null) in ('text', 'character varying', 'json', 'jsonb', 'text[]')
    order by 1, 2`);
  const looks = rows.map(
    ({ name, column, isJson }) => `select '${name}.${column} ' || left(${column}::text, 60) as found
      from (select ${column} from florin.${name} where ${column}::text ~ $1
        or (${isJson} and ${column}::text ~ $2) limit 1) each`,
  );
  const found = await client.query<{ found: string }>(looks.join(' union all '), [
    characters,
    escapes,
  ]);
  return found.rows.map((row) => row.found);
};

const characters =
  '[\\u0001-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]';
/** As JSON writes them, and halves of characters; not the text that shows such an escape. */
const escapes = '(^|[^\\\\])(\\\\\\\\)*\\\\(b|f|u00(0[0-8bcef]|1|7f|[89])|ud[89a-f])';

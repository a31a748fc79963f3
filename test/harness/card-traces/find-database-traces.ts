import pg from 'pg';
import { findTraces } from './find-traces.ts';

const tables = `
  select format('%I.%I', n.nspname, c.relname) as source
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm') and n.nspname !~ '^(pg_|information_schema$)'
    and pg_relation_size(c.oid) > 0
  order by 1`;

/**
 * Every row of every table as text, with bytes in hexadecimal. Answers the position of each trace.
 */
export const findDatabaseTraces = async (url: string): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const seen = await client.query<{ seesAll: boolean }>(sight);
    if (!seen.rows[0]?.seesAll) throw new Error('this role does not see every row');
    const { rows } = await client.query<{ source: string }>(tables);
    if (rows.length === 0) return [];
    return await findRowTraces(
      client,
      rows.map(({ source }) => rowsOf(source)).join(' union all '),
    );
  } finally {
    await client.end();
  }
};
const rowsOf = (source: string): string => `
  select '${source.replaceAll("'", "''")}' as source, whole_row::text as content
  from only ${source} as whole_row`;
// A role under row-level security would find nothing and prove nothing.
const sight = `select rolsuper or rolbypassrls as "seesAll" from pg_roles where rolname = current_user`;

// A search of one text of this length takes a tenth of the time of a search row by row.
const charactersAtOnce = 65_536;

/** As the rows come, however many there are. */
const findRowTraces = (client: pg.Client, text: string): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const found = new Set<string>();
    const unread = new Map<string, string>();
    const read = (source: string, content: string): void => {
      for (const trace of findTraces(content)) found.add(`${trace} in table ${source}`);
    };
    const query = client.query(new pg.Query<{ source: string; content: string }>({ text }));
    query.on('row', ({ source, content }) => {
      const contents = `${unread.get(source) ?? ''}\n${content}`;
      const isEnough = contents.length > charactersAtOnce;
      if (isEnough) read(source, contents);
      unread.set(source, isEnough ? '' : contents);
    });
    query.on('error', reject);
    query.on('end', () => {
      for (const [source, contents] of unread) read(source, contents);
      resolve([...found]);
    });
  });

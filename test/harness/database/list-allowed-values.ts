import pg from 'pg';
import { inject } from 'vitest';
import { withDatabase } from './with-database.ts';

/** The values that the check constraint of a column allows, in alphabetical order. */
export const listAllowedValues = async (table: string, column: string): Promise<string[]> => {
  const { url, template } = inject('databaseServer');
  const client = new pg.Client({ connectionString: withDatabase(url, template) });
  await client.connect();
  try {
    const { rows } = await client.query<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint
       where contype = 'c' and conrelid = $1::regclass
         and conkey = array[(select attnum from pg_attribute
           where attrelid = $1::regclass and attname = $2)]`,
      [`florin.${table}`, column],
    );
    const definition = rows.find((row) => row.definition.includes('ARRAY'))?.definition ?? '';
    return [...definition.matchAll(/'([A-Z_]+)'::text/g)].map(([, word = '']) => word).sort();
  } finally {
    await client.end();
  }
};

import pg from 'pg';
import { inject } from 'vitest';
import type { Lifecycle } from '../../../service/src/kernel/lifecycle.ts';
import { withDatabase } from '../with-database.ts';

/** Every state with every trigger, listed or not. */
export const pairsOf = <State extends string, Trigger extends string>(
  table: Lifecycle<State, Trigger>,
): (readonly [State, Trigger])[] => {
  const triggers = [...new Set(table.edges.map(({ trigger }) => trigger))];
  return table.states.flatMap((state) => triggers.map((trigger) => [state, trigger] as const));
};

/** The words that the check constraint of a column allows, in alphabetical order. */
export const statesInDatabase = async (table: string, column: string): Promise<string[]> => {
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

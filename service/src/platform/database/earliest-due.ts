import { type Fragment, sql } from './sql.ts';

type DueRows = {
  readonly at: string;
  readonly from: string;
  /** The predicate of the partial index on `at`, if it has one that a comparison with `at` does not imply. */
  readonly indexed?: string;
  /** Of what is due, what can be worked on now. */
  readonly and?: string;
};

/**
 * When the earliest row can be worked on: now, or when the next falls due. Rows that cannot be worked on
 * are skipped only among those that are due, so that a look never walks through the rows of later days.
 */
export const earliestDue = ({ at, from, indexed, and }: DueRows): Fragment<never> => {
  const also = (predicate: string | undefined) => (predicate ? ` and ${predicate}` : '');
  return sql()`least(
     (select ${at} from ${from} where ${at} <= statement_timestamp()${also(indexed)}${also(and)}
       order by ${at} limit 1),
     (select ${at} from ${from} where ${at} > statement_timestamp()${also(indexed)}
       order by ${at} limit 1))`;
};

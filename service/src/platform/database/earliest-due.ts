import { earliestOfEach, ofEachEnvironment, ofShare } from './of-each-environment.ts';
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
 * Each environment is looked at by itself, as the claim does and the index is sorted.
 */
export const earliestDue = ({ indexed, ...rows }: DueRows): Fragment<never> => {
  const [, alias] = /^(\w+)\./.exec(rows.at) ?? [];
  const also = indexed ? ` and ${indexed}` : '';
  return earliestOfEach(earliest({ ...rows, indexed: `${ofShare(alias)}${also}` }));
};

/** The same of rows that are of no environment. */
export const earliestDueOfAll = (rows: DueRows): Fragment<never> => sql()`${earliest(rows)}`;

const earliest = ({ at, from, indexed, and }: DueRows): string => {
  const also = (predicate: string | undefined) => (predicate ? ` and ${predicate}` : '');
  return `least(
     (select ${at} from ${from} where ${at} <= statement_timestamp()${also(indexed)}${also(and)}
       order by ${at} limit 1),
     (select ${at} from ${from} where ${at} > statement_timestamp()${also(indexed)}
       order by ${at} limit 1))`;
};

/**
 * Tenants with work, by a condition on `merchant_switch w`. The list begins at another one each time
 * (`:from`, an id of chance) and goes round, so that many whose work fails keep no other waiting.
 */
export const tenantsFromAnywhere = <Name extends string>(
  hasWork: Fragment<Name> | string,
): Fragment<Name | 'from' | 'limit'> => {
  const lap = (at: 0 | 1, part: '>=' | '<') => sql('from', 'limit')`
     (select ${at} as lap, w.merchant_id, w.environment from merchant_switch w
     where ${ofShare('w')} and w.merchant_id ${part} :from::uuid and ${hasWork}
     order by w.merchant_id limit :limit)`;
  return ofEachEnvironment(sql('limit')`
   select t.merchant_id, t.environment
   from (${lap(0, '>=')} union all ${lap(1, '<')}) t
   order by t.lap, t.merchant_id limit :limit`) as Fragment<Name | 'from' | 'limit'>;
};

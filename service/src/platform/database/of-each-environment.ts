import { type Fragment, sql } from './sql.ts';

const environments = `(values ('PRODUCTION'), ('SANDBOX')) as share (of_environment)`;

/** The condition of a row of that environment whose turn it is. */
export const ofShare = (alias?: string): string =>
  `${alias ? `${alias}.` : ''}environment = share.of_environment`;

/**
 * The rows of a limited `select` of each environment by itself, production first: a backlog of the sandbox
 * never stands before production work. It names `ofShare`, so that an index leads to the rows of one.
 */
export const ofEachEnvironment = <const Name extends string = never>(
  select: Fragment<Name> | string,
): Fragment<Name> =>
  sql()`select mine.* from ${environments} cross join lateral (
     ${select}) mine` as Fragment<Name>;

/** The earliest of both environments, of an expression that names `ofShare`. */
export const earliestOfEach = (at: string): Fragment<never> =>
  sql()`(select min(mine.at) from ${environments} cross join lateral (
     select ${at} as at) mine)`;

const volatileTime = String.raw`(?:clock_timestamp|timeofday|business_now)\s*\([^()]*\)`;
const moved = String.raw`(?:\s*[-+][^<>=,)]*)?`;
const comparison = String.raw`(?:<=|>=|<>|<|>|\bbetween\b)`;

const patterns = [
  new RegExp(`${comparison}\\s*\\(?\\s*${volatileTime}`, 'gi'),
  new RegExp(`${volatileTime}${moved}\\s*${comparison}`, 'gi'),
];

/**
 * Comparisons with a time that changes while the statement runs: PostgreSQL evaluates it for each row, as
 * a filter, and cannot use an index for it. `statement_timestamp()` is the same in all rows.
 */
export const findVolatileComparisons = (sql: string): readonly string[] =>
  patterns.flatMap((pattern) =>
    [...sql.matchAll(pattern)].map(([found]) => found.replaceAll(/\s+/g, ' ')),
  );

// What the versions after 15 brought, as far as a statement of ours might want it.
const newerThan15 = [
  // 16
  /\b(?:any_value|array_sample|array_shuffle|random_normal|system_user|pg_input_is_valid)\b/gi,
  /\b(?:json_array|json_arrayagg|json_object|json_objectagg)\s*\(/gi,
  /\bis\s+(?:not\s+)?json\b/gi,
  /\b0[xob][0-9a-f]+\b|\b\d+_\d/gi,
  /\bgrant\b[^;']*\bwith\s+(?:inherit|set)\b/gi,
  // 17
  /\b(?:json_table|json_value|json_query|json_exists|json_scalar|json_serialize)\s*\(/gi,
  /\bmerge_action\s*\(|\bmerge\s+into\b[^;]*\breturning\b|\bat\s+local\b|\bto_(?:bin|oct)\s*\(/gi,
  /\b(?:transaction_timeout|pg_c_utf8|pg_maintain)\b|\bon_error\b/gi,
  // 18
  /\breturning\b[^;]*?\b(?:old|new)\.\w+|\breturning\s+with\s*\(/gi,
  /\b(?:uuidv4|uuidv7|array_sort|array_reverse|casefold|crc32c?|pg_unicode_fast)\b/gi,
  /\bgenerated\s+always\s+as\s*\([^;]*\)\s*virtual\b|\bwithout\s+overlaps\b|\bnot\s+enforced\b/gi,
];

/** What PostgreSQL 15 does not know. */
export const findNewerSql = (sql: string): readonly string[] => {
  const code = sql.replaceAll(/--[^\n]*/g, '');
  return newerThan15.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
};

const unportable = [
  // A row's position on disk: partitions repeat it, an update changes it.
  /\bctid\b/gi,
  // Numbers of one cluster: written_in() and written_horizon() raise them in the next one.
  /\b(?:pg_current_xact_id\w*|pg_current_snapshot|pg_snapshot_x\w+|txid_\w+|xmin|xmax)\b/gi,
];

/** What means something else after a restore, or in a partition. */
export const findUnportableSql = (sql: string): readonly string[] =>
  unportable.flatMap((pattern) => [...sql.matchAll(pattern)].map(([found]) => found));

const volatileTime = String.raw`(?:clock_timestamp|timeofday|business_now)\s*\([^()]*\)`;
const moved = String.raw`(?:\s*[-+][^<>=,)]*)?`;
const comparison = String.raw`(?:<=|>=|<>|<|>|\bbetween\b)`;

const volatile = [
  new RegExp(`${comparison}\\s*\\(?\\s*${volatileTime}`, 'gi'),
  new RegExp(`${volatileTime}${moved}\\s*${comparison}`, 'gi'),
];

/**
 * Comparisons with a time that changes while the statement runs: PostgreSQL evaluates it for each row, as
 * a filter, and cannot use an index for it. `statement_timestamp()` is the same in all rows.
 */
export const findVolatileComparisons = (sql: string): readonly string[] =>
  volatile.flatMap((pattern) =>
    [...sql.matchAll(pattern)].map(([found]) => found.replaceAll(/\s+/g, ' ')),
  );

const coalescedBound = /\b(?:\w+\.)?\w+_(?:at|in)\s*[<>]=?\s*coalesce\s*\(/gi;

/**
 * Bounds that row-level security keeps from an index: it trusts no `coalesce` around a value, not even of
 * constants. `(select coalesce(…))` is one value, and bounds the index.
 */
export const findCoalescedBounds = (sql: string): readonly string[] =>
  /:merchantId\b/.test(sql) ? [...sql.matchAll(coalescedBound)].map(([found]) => found) : [];

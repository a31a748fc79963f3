// What the versions after 15 brought, as far as a statement of ours might want it.
const patterns = [
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
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
};

const patterns = [
  // A row's position on disk: partitions repeat it, an update changes it.
  /\bctid\b/gi,
  // Numbers of one cluster: written_in() and written_horizon() raise them in the next one.
  /\b(?:pg_current_xact_id\w*|pg_current_snapshot|pg_snapshot_x\w+|txid_\w+|xmin|xmax)\b/gi,
];

/** What means something else after a restore, or in a partition. */
export const findUnportableSql = (sql: string): readonly string[] =>
  patterns.flatMap((pattern) => [...sql.matchAll(pattern)].map(([found]) => found));

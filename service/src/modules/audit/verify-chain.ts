import type { Uses } from '#platform/tools.ts';
import { type Break, checkEnd, checkRecord, type Linked, type NotedHead } from './check-record.ts';
import { firstHash } from './hash-record.ts';
import { type ChainRow, readChain, readHead } from './store/chain.ts';

export type Verified = Counts & {
  readonly head: Linked;
  /** The first break that was found; null: all is as it was written. */
  readonly broken: Break | null;
};

type Counts = {
  readonly records: number;
  readonly acts: number;
  readonly seals: number;
  readonly sealedUpTo: bigint;
  readonly sealedAt: Date | null;
};

const nothing: Counts = { records: 0, acts: 0, seals: 0, sealedUpTo: 0n, sealedAt: null };

const batchSize = 2_000;

/** Reads every record, oldest first, and takes each hash again. What is appended meanwhile is left out. */
export const verifyChain = async (
  tools: Uses<'database' | 'secrets'>,
  noted: readonly NotedHead[] = [],
): Promise<Verified> => {
  const [head] = await tools.database.system(readHead, {});
  if (!head) throw new Error('the head of the audit records is missing');
  let counts = nothing;
  let before: Linked = { position: 0n, hash: firstHash };
  for (let isMore = true; isMore; ) {
    const range = { after: before.position, upTo: head.position, limit: batchSize };
    const rows = await tools.database.system(readChain, range);
    for (const row of rows) {
      const reason = checkRecord(tools, before, row, noted);
      if (reason) return { ...counts, head, broken: { position: row.position, reason } };
      counts = counted(counts, row);
      before = row;
    }
    isMore = rows.length === batchSize;
  }
  return { ...counts, head, broken: checkEnd(tools, head, before, noted) };
};

const counted = (counts: Counts, row: ChainRow): Counts => ({
  records: counts.records + 1,
  acts: counts.acts + (row.kind === 'ACT' ? 1 : 0),
  ...(row.sealed_at
    ? { seals: counts.seals + 1, sealedUpTo: row.position, sealedAt: row.sealed_at }
    : { seals: counts.seals, sealedUpTo: counts.sealedUpTo, sealedAt: counts.sealedAt }),
});

import type { Uses } from '#platform/tools.ts';
import { hashRecord } from './hash-record.ts';
import { type Head, isSignedHead } from './seal-head.ts';
import type { ChainRow, HeadRow } from './store/chain.ts';

/** A head that was written down outside the database. */
export type NotedHead = Linked & {
  readonly signed: { readonly sealedAt: Date; readonly signature: Buffer } | null;
};

export type Linked = Pick<Head, 'position' | 'hash'>;

export type Break = { readonly position: bigint; readonly reason: string };

/** What is wrong with a record that follows another; null: nothing. */
export const checkRecord = (
  tools: Uses<'secrets'>,
  before: Linked,
  row: ChainRow,
  noted: readonly NotedHead[],
): string | null => {
  const next = before.position + 1n;
  if (row.position !== next) return `record ${next} is missing before it`;
  if (!row.previous_hash.equals(before.hash)) return 'it does not follow the record before it';
  if (!row.hash.equals(hashRecord(row))) return 'its content was changed';
  const differs = noted.some(
    ({ position, hash }) => position === row.position && !hash.equals(row.hash),
  );
  return differs ? 'it is not the record that was noted' : checkSeal(tools, row);
};

const checkSeal = (tools: Uses<'secrets'>, row: ChainRow): string | null => {
  const { position, sealed_at: sealedAt, sealed_hash: hash, signature } = row;
  if (!sealedAt || !hash || !signature) return null;
  if (!isSignedHead(tools, { position, hash, sealedAt }, signature))
    return 'its seal was not signed by this installation';
  return hash.equals(row.hash) ? null : 'it is not the record that was sealed';
};

/** What is wrong with the end of the chain: whether the newest records are there. */
export const checkEnd = (
  tools: Uses<'secrets'>,
  { position, hash, newest, newest_seal: seal }: HeadRow,
  last: Linked,
  noted: readonly NotedHead[],
): Break | null => {
  const missing = (upTo: bigint): Break => ({
    position: last.position,
    reason: `the records after it, up to ${upTo}, are missing`,
  });
  if (last.position !== position) return missing(position);
  if (!last.hash.equals(hash)) return { position, reason: 'the head has another hash' };
  if (newest > position) return { position: newest, reason: `the head is record ${position}` };
  if (seal !== null && seal > position) return missing(seal);
  const [lost] = noted.filter((each) => each.position > position);
  if (lost) return missing(lost.position);
  const [forged] = noted.filter(
    (each) =>
      each.signed && !isSignedHead(tools, { ...each, ...each.signed }, each.signed.signature),
  );
  return forged
    ? { position: forged.position, reason: 'what was noted was not signed by this installation' }
    : null;
};

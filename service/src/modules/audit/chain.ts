import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { type ChainRow, type HeadRow, insertSeal, readChain, readHead } from './store.ts';

/** A record as it is stored. */
export type StoredRecord = {
  readonly position: bigint;
  readonly at: Date;
  readonly kind: string;
  readonly record_id: string;
  readonly channel: string | null;
  readonly actor_kind: string | null;
  readonly actor_id: string | null;
  readonly actor: string | null;
  readonly address: string | null;
  readonly action: string | null;
  readonly merchant_id: string | null;
  readonly environment: string | null;
  readonly detail: string;
  readonly outcome: string | null;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
};

/** Written again from what is stored: it does not trust the function of the database that wrote it. */
const hashRecord = (record: StoredRecord): Buffer =>
  createHash('sha256').update(textOf(record)).digest();

/** The hash before the first record. */
const firstHash = Buffer.alloc(32);

const textOf = (record: StoredRecord): string =>
  [
    ...[String(record.position), record.at.toISOString(), record.kind, record.record_id],
    ...[record.channel, record.actor_kind, record.actor_id, record.actor, record.address],
    ...[record.action, record.merchant_id, record.environment, record.detail, record.outcome],
    record.previous_hash.toString('hex'),
  ]
    .map(fieldOf)
    .join('\n');

const fieldOf = (value: string | null): string =>
  value === null ? '-' : `${Buffer.byteLength(value)}:${value}`;

/** The newest record at a moment. */
type Head = {
  readonly position: bigint;
  readonly hash: Buffer;
  readonly sealedAt: Date;
};

type SealTools = Uses<'database' | 'secrets' | 'clock' | 'log'>;

/** Signs the newest record, once. The log takes its hash to where the database does not reach. */
export const sealHead = async (tools: SealTools): Promise<number> => {
  const [head] = await tools.database.system(readHead, {});
  if (!head || head.position === 0n || head.newest_seal === head.position) return 0;
  const sealed = { position: head.position, hash: head.hash, sealedAt: tools.clock.now() };
  const signature = signHead(tools, sealed);
  await tools.database.system(insertSeal, { ...sealed, signature });
  const [position, hash] = [String(head.position), head.hash.toString('hex')];
  tools.log.info({ position, hash }, 'the audit records were sealed');
  return 0;
};

/** With a key that the database holds encrypted alone. */
const signHead = ({ secrets }: Uses<'secrets'>, { position, hash, sealedAt }: Head): Buffer =>
  createHmac('sha256', secrets.keyFor('audit-seal'))
    .update(`${position}\n${hash.toString('hex')}\n${sealedAt.toISOString()}`)
    .digest();

const isSignedHead = (tools: Uses<'secrets'>, head: Head, signature: Buffer): boolean => {
  const expected = signHead(tools, head);
  return expected.length === signature.length && timingSafeEqual(expected, signature);
};

/** For a note outside: `npm run audit -- verify` takes it back. */
export const showHead = async (tools: Uses<'database' | 'secrets' | 'clock'>): Promise<string> => {
  const [row] = await tools.database.system(readHead, {});
  if (!row) throw new Error('the head of the audit records is missing');
  const head = { position: row.position, hash: row.hash, sealedAt: tools.clock.now() };
  const signature = signHead(tools, head).toString('hex');
  return [head.position, head.hash.toString('hex'), head.sealedAt.toISOString(), signature].join(
    ' ',
  );
};

/** A head that was written down outside the database. */
export type NotedHead = Linked & {
  readonly signed: { readonly sealedAt: Date; readonly signature: Buffer } | null;
};

type Linked = Pick<Head, 'position' | 'hash'>;

type Break = { readonly position: bigint; readonly reason: string };

/** What is wrong with a record that follows another; null: nothing. */
const checkRecord = (
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
const checkEnd = (
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

type Verified = Counts & {
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

const sealEveryMs = 60 * 60 * 1_000;

export const auditJobs = (
  tools: Uses<'database' | 'secrets' | 'clock' | 'log'>,
): readonly Job[] => [{ name: 'sealAudit', everyMs: sealEveryMs, run: () => sealHead(tools) }];

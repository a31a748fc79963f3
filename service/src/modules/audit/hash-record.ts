import { createHash } from 'node:crypto';

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
export const hashRecord = (record: StoredRecord): Buffer =>
  createHash('sha256').update(textOf(record)).digest();

/** The hash before the first record. */
export const firstHash = Buffer.alloc(32);

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

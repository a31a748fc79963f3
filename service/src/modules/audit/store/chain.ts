import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { StoredRecord } from '../hash-record.ts';

export type HeadRow = {
  readonly position: bigint;
  readonly hash: Buffer;
  /** Of all records: another one than the head's was removed or slipped in. */
  readonly newest: bigint;
  readonly newest_seal: bigint | null;
};

export const readHead = statement<Record<never, never>, HeadRow>(
  'audit_head_read',
  sql()`
   select h.position, h.hash, (select max(s.position) from audit_seal s) as newest_seal,
     coalesce((select max(r.position) from audit_record r), 0) as newest
   from audit_head h`,
);

export type ChainRow = StoredRecord & {
  readonly sealed_at: Date | null;
  readonly sealed_hash: Buffer | null;
  readonly signature: Buffer | null;
};

export const readChain = statement<
  { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
  ChainRow
>(
  'audit_chain_read',
  sql('after', 'upTo', 'limit')`
   select r.*, s.sealed_at, s.hash as sealed_hash, s.signature
   from audit_record r left join audit_seal s on s.position = r.position
   where r.position > :after and r.position <= :upTo order by r.position limit :limit`,
);

/** A repeat, and another worker at the same head, change nothing. */
export const insertSeal = statement<
  {
    readonly position: bigint;
    readonly sealedAt: Date;
    readonly hash: Buffer;
    readonly signature: Buffer;
  },
  never
>(
  'audit_seal_insert',
  sql('position', 'sealedAt', 'hash', 'signature')`
   insert into audit_seal (position, sealed_at, hash, signature)
   values (:position, :sealedAt, :hash, :signature) on conflict (position) do nothing`,
  { guardedBy: 'primary key: a record is sealed once' },
);

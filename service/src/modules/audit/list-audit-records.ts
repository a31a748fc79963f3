import type { listAuditRecords as operation, QueryOf, ReplyOf } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { type AuditRow, listAuditRows } from './store/records.ts';

type Reply = ReplyOf<typeof operation>;

/** Of operators, members and programs; the newest first. */
export const listAuditRecords = async (
  { database }: Uses<'database'>,
  { merchantId, actorId, page, size }: QueryOf<typeof operation>,
): Promise<Reply> => {
  const values = {
    ...{ merchantId: merchantId ?? null, actorId: actorId ?? null },
    ...{ limit: size, skipped: page * size },
  };
  const rows = await database.system(listAuditRows, values);
  return { page, size, data: rows.map(auditView) };
};

const auditView = (row: AuditRow): Reply['data'][number] => ({
  recordId: row.record_id,
  position: Number(row.position),
  startedAt: row.started_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  channel: row.channel,
  actorKind: row.actor_kind,
  actorId: row.actor_id,
  actor: row.actor,
  address: row.address,
  action: row.action,
  merchantId: row.merchant_id,
  environment: row.environment,
  detail: JSON.parse(row.detail),
  outcome: row.outcome,
  hash: row.hash.toString('hex'),
});

import type { listAuditRecords as operation, QueryOf, ReplyOf } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { type AuditRow, listAuditRows } from './store/audit-records.ts';

type Reply = ReplyOf<typeof operation>;

/** The newest first. */
export const listAuditRecords = async (
  { database }: Uses<'database'>,
  { merchantId, page, size }: QueryOf<typeof operation>,
): Promise<Reply> => {
  const values = { merchantId: merchantId ?? null, limit: size, skipped: page * size };
  const rows = await database.system(listAuditRows, values);
  return { page, size, data: rows.map(auditView) };
};

const auditView = (row: AuditRow): Reply['data'][number] => ({
  recordId: row.record_id,
  startedAt: row.started_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  channel: row.channel,
  actor: row.actor,
  address: row.address,
  action: row.action,
  merchantId: row.merchant_id,
  environment: row.environment,
  detail: row.detail,
  outcome: row.outcome,
});

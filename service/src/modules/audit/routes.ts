import {
  limits,
  listAuditRecords as operationListAuditRecords,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import { listAudit as operationListAudit } from '@florin/contract/dashboard/index.ts';
import { dashboardOperations, operations } from '@florin/contract/operations.ts';
import type { Tenant } from '#kernel/environment.ts';
import { operatorRoute, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { type AuditRow, listAuditRows, listRecordsOfMerchant, type MerchantRow } from './store.ts';

type RecordsReply = ReplyOf<typeof operationListAuditRecords>;

/** Of operators, members and programs; the newest first. */
export const listAuditRecords = async (
  { database }: Uses<'database'>,
  { merchantId, actorId, page, size }: QueryOf<typeof operationListAuditRecords>,
): Promise<RecordsReply> => {
  const values = {
    ...{ merchantId: merchantId ?? null, actorId: actorId ?? null },
    ...{ limit: size, skipped: page * size },
  };
  const rows = await database.system(listAuditRows, values);
  return { page, size, data: rows.map(auditView) };
};

const auditView = (row: AuditRow): RecordsReply['data'][number] => ({
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

type Reply = ReplyOf<typeof operationListAudit>;

/** What concerns a merchant, for its members: in production all, in the sandbox nothing of production. */
const listAudit = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { actorId, operation: action, day, before, limit }: QueryOf<typeof operationListAudit>,
): Promise<Reply> => {
  const isFiltered = [actorId, action, day].some((given) => given !== undefined);
  const rows = await database.system(listRecordsOfMerchant, {
    ...tenant,
    ...{
      before: before ?? null,
      actorId: actorId ?? null,
      action: action ?? null,
      day: day ?? null,
    },
    read: isFiltered ? limits.auditReadMax : limit + 1,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit || (isFiltered && rows[0]?.is_whole === false);
  const last = page.at(-1);
  return {
    data: page.filter(({ matches }) => matches).map(shown),
    nextBefore: hasMore && last ? String(last.position) : null,
  };
};

const summaries = new Map(
  [...operations, ...dashboardOperations].map(({ id, summary }) => [id, summary]),
);

const shown = (row: MerchantRow): Reply['data'][number] => ({
  position: String(row.position),
  recordId: row.record_id,
  startedAt: row.started_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  ...{ actorKind: row.actor_kind, actorId: row.actor_id, actor: row.actor },
  ...{ addressPrefix: row.address, operation: row.action, environment: row.environment },
  summary: summaries.get(row.action) ?? row.action,
  detail: JSON.parse(row.detail),
  outcome: row.outcome,
  madeIds: JSON.parse(row.made_ids ?? '{}'),
  hash: row.hash.toString('hex'),
  previousHash: row.previous_hash.toString('hex'),
});

export const memberRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(operationListAudit, ({ query }, { tenant }) => listAudit(tools, tenant, query)),
];

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(operationListAuditRecords, ({ query }) => listAuditRecords(tools, query)),
];

import {
  limits,
  listAuditRecords as operationListAuditRecords,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import { listAudit as operationListAudit } from '@florin/contract/dashboard/index.ts';
import { dashboardOperations, operations } from '@florin/contract/operations.ts';
import type { Tenant } from '#kernel/environment.ts';
import { continuedPage } from '#platform/database/pages.ts';
import { shown } from '#platform/database/rows.ts';
import { operatorRoute, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listAuditRows, listRecordsOfMerchant, type MerchantRow } from './store.ts';

/** Of operators, members and programs; the newest first. */
export const listAuditRecords = async (
  { database }: Uses<'database'>,
  { merchantId, actorId, merchant, only, page, size }: QueryOf<typeof operationListAuditRecords>,
): Promise<ReplyOf<typeof operationListAuditRecords>> => {
  const values = {
    ...{ merchantId: merchantId ?? null, actorId: actorId ?? null },
    ...{ merchant: merchant?.trim() ?? null, without: only === 'CHANGES' ? reads : [] },
    ...{ limit: size, skipped: page * size },
  };
  const rows = await database.system(listAuditRows, values);
  return {
    page,
    size,
    data: rows.map((row) => ({ ...shown(row), detail: JSON.parse(row.detail) })),
  };
};

const described = [...operations, ...dashboardOperations];

const reads = described.flatMap(({ id, method }) => (method === 'GET' ? [id] : []));

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
    ...{ before: before ?? null, actorId: actorId ?? null },
    ...{ action: action ?? null, day: day ?? null },
    read: isFiltered ? limits.auditReadMax : limit + 1,
    limit: limit + 1,
  });
  return continuedPage(rows, limit, recordOf);
};

const summaries = new Map(described.map(({ id, summary }) => [id, summary]));

const recordOf = (row: MerchantRow): Reply['data'][number] => ({
  ...shown(row),
  summary: summaries.get(row.operation) ?? row.operation,
  detail: JSON.parse(row.detail),
  madeIds: JSON.parse(row.made_ids ?? '{}'),
});

export const memberRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(operationListAudit, ({ query }, { tenant }) => listAudit(tools, tenant, query)),
];

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(operationListAuditRecords, ({ query }) => listAuditRecords(tools, query)),
];

import { listAuditRecords as operation } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listAuditRecords } from './list-audit-records.ts';

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(operation, ({ query }) => listAuditRecords(tools, query)),
];

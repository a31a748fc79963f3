import { listAudit as operation } from '@florin/contract/dashboard/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listAudit } from './list-audit.ts';

export const memberRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(operation, ({ query }, { tenant }) => listAudit(tools, tenant, query)),
];

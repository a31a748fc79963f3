import * as dashboard from '@florin/contract/dashboard/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listBankLinks } from './authorisations/list-bank-links.ts';

export const memberRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(dashboard.listBankLinks, ({ query }, { tenant }) => listBankLinks(tools, tenant, query)),
];

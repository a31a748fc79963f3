import { getMe } from '@florin/contract/dashboard/index.ts';
import { personRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { showMe } from './access/show-me.ts';

export const personRoutes = (tools: Uses<'database'>): readonly Route[] => [
  personRoute(getMe, (_, person) => showMe(tools, person)),
];

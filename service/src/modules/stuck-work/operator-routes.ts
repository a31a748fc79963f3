import { hurryWork as hurryOperation, listStuckWork as listOperation } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { hurryWork } from './hurry-work.ts';
import { listStuckWork } from './list-stuck-work.ts';

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(listOperation, ({ query }) => listStuckWork(tools, query)),
  operatorRoute(hurryOperation, ({ params }) => hurryWork(tools, params)),
];

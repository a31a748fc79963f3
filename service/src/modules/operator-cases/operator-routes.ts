import { getOperatorCase, listOperatorCases, resolveOperatorCase } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listCasePage, showCase } from './list-cases.ts';
import { resolveCase } from './resolve-case.ts';

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(listOperatorCases, ({ query: { status, ...page } }) =>
    listCasePage(tools, status ?? null, page),
  ),
  operatorRoute(getOperatorCase, ({ params }) => showCase(tools, params.caseId)),
  operatorRoute(resolveOperatorCase, ({ params, body }, { name }) =>
    resolveCase(tools, params.caseId, { actor: name, resolution: body.resolution }),
  ),
];

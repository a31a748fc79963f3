import { deletePerson as deleteOperation } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { deletePerson } from './access/delete-person.ts';

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(deleteOperation, ({ body }) => deletePerson(tools, body.email)),
];

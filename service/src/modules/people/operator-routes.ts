import {
  admitToProduction as admitOperation,
  deletePerson as deleteOperation,
} from '@florin/contract';
import { requireMerchant } from '#modules/merchants/index.ts';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { deletePerson } from './access/delete-person.ts';
import { admitToProduction } from './team/team-routes.ts';

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(deleteOperation, ({ body }) => deletePerson(tools, body.email)),
  operatorRoute(admitOperation, async ({ params: { merchantId } }) => {
    await requireMerchant(tools, { merchantId, environment: 'PRODUCTION' });
    return admitToProduction(tools, merchantId);
  }),
];

import * as contract from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { createCustomer } from './create-customer.ts';
import { getCustomer } from './get-customer.ts';
import { listCustomers } from './list-customers.ts';
import { updateCustomer } from './update-customer.ts';

export const merchantRoutes = (tools: Uses<'database' | 'ids'>): readonly Route[] => [
  route(contract.createCustomer, ({ body, idempotencyKey }, { tenant }) =>
    createCustomer(tools, tenant, body, idempotencyKey),
  ),
  route(contract.listCustomers, ({ query }, { tenant }) => listCustomers(tools, tenant, query)),
  route(contract.getCustomer, ({ params }, { tenant }) =>
    getCustomer(tools, tenant, params.customerId),
  ),
  route(contract.updateCustomer, ({ params, body }, { tenant }) =>
    updateCustomer(tools, tenant, params.customerId, body),
  ),
];

import * as contract from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { deleteCustomer } from './delete-customer.ts';
import { deleteCustomerCard } from './delete-customer-card.ts';
import { getCustomerCard } from './get-customer-card.ts';
import { listCustomerCards } from './list-customer-cards.ts';

export const merchantRoutes = (tools: Uses<'database' | 'ids'>): readonly Route[] => [
  route(contract.listCustomerCards, ({ params }, { tenant }) =>
    listCustomerCards(tools, tenant, params.customerId),
  ),
  route(contract.getCustomerCard, ({ params }, { tenant }) =>
    getCustomerCard(tools, tenant, params.customerId, params.cardId),
  ),
  route(contract.deleteCustomerCard, ({ params, decideOnce }, { tenant }) =>
    deleteCustomerCard(tools, tenant, params.customerId, params.cardId, decideOnce),
  ),
  route(contract.deleteCustomer, ({ params, decideOnce }, { tenant }) =>
    deleteCustomer(tools, tenant, params.customerId, decideOnce),
  ),
];

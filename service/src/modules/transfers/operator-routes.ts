import { listBankMessages as listOperation } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listBankMessages } from './list-bank-messages.ts';

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(listOperation, ({ query }) => listBankMessages(tools, query)),
];

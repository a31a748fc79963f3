import { listReceiptMails as listReceiptMailsOperation } from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listReceiptMails } from './receipts/receipts.ts';

export const merchantRoutes = (tools: Uses<'database' | 'secrets'>): readonly Route[] => [
  route(listReceiptMailsOperation, ({ query }, { tenant }) =>
    listReceiptMails(tools, tenant, query),
  ),
];

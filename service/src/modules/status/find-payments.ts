import { findPayments, limits, type QueryOf, type ReplyOf } from '@florin/contract';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { readSearchText } from '#modules/search/index.ts';
import type { Database } from '#platform/database/open-database.ts';
import { badField } from '#platform/http/error-reply.ts';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type FoundOfMerchant,
  findByWords,
  findNamed,
  findNewest,
  type MerchantFilter,
} from './store.ts';

/** Where only a person of the operator looks: all merchants, at most a page (OPERATE-8). */
export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(findPayments, ({ query }) => findForOperator(tools, query)),
];

const findForOperator = async (
  { database }: Uses<'database'>,
  { search, merchant, environment }: QueryOf<typeof findPayments>,
): Promise<ReplyOf<typeof findPayments>> => {
  if (search === undefined && merchant === undefined)
    throw badField('search', 'or a merchant must be given');
  const filter: MerchantFilter = {
    merchant: merchant?.trim() ?? null,
    environments: environment
      ? [environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION']
      : ['SANDBOX', 'PRODUCTION'],
    limit: limits.operatorPageSize + 1,
  };
  const rows = await find(database, filter, search);
  return {
    data: rows.slice(0, limits.operatorPageSize).map(shownPayment),
    isWhole: rows.length <= limits.operatorPageSize,
  };
};

const find = async (
  database: Database,
  filter: MerchantFilter,
  search: string | undefined,
): Promise<readonly FoundOfMerchant[]> => {
  if (search === undefined) return database.system(findNewest, filter);
  const named = await database.system(findNamed, { ...filter, search: search.trim() });
  const [word, ...others] = readSearchText(search).map(asStored);
  if (named.length > 0 || word === undefined) return named;
  const patterns = others.map((each) => `% ${each.replace(/[\\%_]/g, '\\$&')}%`);
  const found = await database.system(findByWords, { ...filter, word, patterns });
  // One field finds a merchant's payments too.
  return found.length > 0 || filter.merchant !== null
    ? found
    : database.system(findNewest, { ...filter, merchant: search.trim() });
};

/** "12.5" is stored as "12.50". */
const asStored = (word: string): string => (/^\d+\.\d$/.test(word) ? `${word}0` : word);

const shownPayment = (row: FoundOfMerchant): ReplyOf<typeof findPayments>['data'][number] => ({
  merchantId: row.merchant_id,
  businessName: row.business_name,
  environment: row.environment === 'SANDBOX' ? 'sandbox' : 'production',
  paymentRequestId: row.payment_request_id,
  orderId: row.order_id,
  amount: poundsNumber(pence(row.pence)),
  status: row.status,
  method: row.method,
  createdAt: row.created_at.toISOString(),
});

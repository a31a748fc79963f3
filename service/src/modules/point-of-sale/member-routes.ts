import {
  getTillSale as getOperation,
  listTillSales as listOperation,
  startTillSale as startOperation,
  voidTillSale as voidOperation,
} from '@florin/contract/dashboard/index.ts';
import { type Route, route, routeHandlingIdempotency } from '#platform/http/route.ts';
import { listTillSales } from './till/list-till-sales.ts';
import { type SaleTools, showTillSale } from './till/show-till-sale.ts';
import { type StartTools, startTillSale } from './till/start-till-sale.ts';
import { type VoidTools, voidTillSale } from './till/void-till-sale.ts';

/** The till of the dashboard, for members who may use it. */
export const memberRoutes = (tools: StartTools & SaleTools & VoidTools): readonly Route[] => [
  routeHandlingIdempotency(startOperation, ({ body, idempotencyKey }, caller) =>
    startTillSale(tools, caller, body, idempotencyKey),
  ),
  route(listOperation, ({ query }, { tenant }) => listTillSales(tools, tenant, query)),
  route(getOperation, ({ params }, { tenant }) =>
    showTillSale(tools, tenant, params.paymentRequestId),
  ),
  route(voidOperation, ({ params }, { tenant }) =>
    voidTillSale(tools, tenant, params.paymentRequestId),
  ),
];

import {
  getPaymentLink as getLinkOperation,
  getTillSale as getSaleOperation,
  listPaymentLinks as listLinksOperation,
  listTillSales as listSalesOperation,
  mailPaymentLink as mailLinkOperation,
  startTillSale as startOperation,
  voidTillSale as voidOperation,
} from '@florin/contract/dashboard/index.ts';
import { type Route, route, routeHandlingIdempotency } from '#platform/http/route.ts';
import { getPaymentLink } from './links/get-payment-link.ts';
import { listPaymentLinks } from './links/list-payment-links.ts';
import { type MailLinkTools, mailPaymentLink } from './links/mail-payment-link.ts';
import { listTillSales } from './till/list-till-sales.ts';
import { showTillSale } from './till/show-till-sale.ts';
import { type StartTools, startTillSale } from './till/start-till-sale.ts';
import { type VoidTools, voidTillSale } from './till/void-till-sale.ts';

type MemberTools = StartTools & VoidTools & MailLinkTools;

/** The till and the payment links of the dashboard, for members. */
export const memberRoutes = (tools: MemberTools): readonly Route[] => [
  ...tillRoutes(tools),
  ...linkRoutes(tools),
];

const tillRoutes = (tools: MemberTools): readonly Route[] => [
  routeHandlingIdempotency(startOperation, ({ body, idempotencyKey }, caller) =>
    startTillSale(tools, caller, body, idempotencyKey),
  ),
  route(listSalesOperation, ({ query }, { tenant }) => listTillSales(tools, tenant, query)),
  route(getSaleOperation, ({ params }, { tenant }) =>
    showTillSale(tools, tenant, params.paymentRequestId),
  ),
  route(voidOperation, ({ params }, { tenant }) =>
    voidTillSale(tools, tenant, params.paymentRequestId),
  ),
];

const linkRoutes = (tools: MemberTools): readonly Route[] => [
  route(listLinksOperation, ({ query }, { tenant }) => listPaymentLinks(tools, tenant, query)),
  route(getLinkOperation, ({ params }, { tenant }) =>
    getPaymentLink(tools, tenant, params.paymentRequestId),
  ),
  routeHandlingIdempotency(mailLinkOperation, ({ params, body, idempotencyKey }, caller) =>
    mailPaymentLink(tools, caller, params.paymentRequestId, body, idempotencyKey),
  ),
];

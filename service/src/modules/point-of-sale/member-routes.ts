import {
  setPaymentCodeStatus as codeStatusOperation,
  createPaymentCode as createCodeOperation,
  getCashUp,
  getPaymentLink as getLinkOperation,
  getTillSale as getSaleOperation,
  getTillTips,
  listPaymentCodes as listCodesOperation,
  listPaymentLinks as listLinksOperation,
  listTillSales as listSalesOperation,
  mailPaymentLink as mailLinkOperation,
  startTillSale as startOperation,
  voidTillSale as voidOperation,
} from '@florin/contract/dashboard/index.ts';
import { readTips } from '#modules/merchants/index.ts';
import { requireProvenAddress } from '#modules/people/index.ts';
import { type Route, route, routeHandlingIdempotency } from '#platform/http/route.ts';
import { showCashUp } from './cash-up.ts';
import { type CodeTools, createCode, listOwnCodes, setCodeStatus } from './codes.ts';
import {
  getPaymentLink,
  listPaymentLinks,
  type MailLinkTools,
  mailPaymentLink,
} from './payment-links.ts';
import {
  listTillSales,
  type StartTools,
  showTillSale,
  startTillSale,
  type VoidTools,
  voidTillSale,
} from './till.ts';

type MemberTools = StartTools & VoidTools & MailLinkTools & CodeTools;

/** The till, the payment links and the printed codes of the dashboard, for members. */
export const memberRoutes = (tools: MemberTools): readonly Route[] => [
  ...tillRoutes(tools),
  ...linkRoutes(tools),
  ...codeRoutes(tools),
];

const tillRoutes = (tools: MemberTools): readonly Route[] => [
  routeHandlingIdempotency(startOperation, (call, caller) =>
    startTillSale(tools, caller, call.body, call.idempotencyKey, call),
  ),
  route(listSalesOperation, ({ query }, { tenant }) => listTillSales(tools, tenant, query)),
  route(getTillTips, async (_, { tenant }) => ({ tips: await readTips(tools, tenant) })),
  route(getCashUp, ({ query }, { tenant }) => showCashUp(tools, tenant, query)),
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
  routeHandlingIdempotency(mailLinkOperation, async (called, caller) => {
    const { params, body, person, idempotencyKey } = called;
    const toThemself = body.email.trim().toLowerCase() === person?.email;
    if (!toThemself) requireProvenAddress({ emailVerified: person?.emailVerified ?? false });
    return mailPaymentLink(tools, caller, params.paymentRequestId, body, idempotencyKey);
  }),
];

const codeRoutes = (tools: MemberTools): readonly Route[] => [
  route(createCodeOperation, ({ body, decideOnce }, caller) =>
    createCode(tools, caller, body, decideOnce),
  ),
  route(listCodesOperation, ({ query }, { tenant }) => listOwnCodes(tools, tenant, query)),
  route(codeStatusOperation, ({ params, body }, { tenant }) =>
    setCodeStatus(tools, tenant, params.codeId, body),
  ),
];

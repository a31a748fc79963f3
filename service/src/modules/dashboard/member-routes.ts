import {
  listDeliveries as deliveriesOperation,
  getDelivery as deliveryOperation,
  listEvents as eventsOperation,
  listFailures as failuresOperation,
  getFunnel as funnelOperation,
  listWebhookHealth as healthOperation,
  getMoney as moneyOperation,
  listMoneyRows as moneyRowsOperation,
  listMerchantRefunds as refundsOperation,
  listRequests as requestsOperation,
  getPaymentTimeline as timelineOperation,
} from '@florin/contract/dashboard/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { getDelivery, listDeliveries, listEvents, listWebhookHealth } from './deliveries.ts';
import { getFunnel, type InsightTools, listFailures } from './insights.ts';
import { getMoney, listMoneyRows } from './money.ts';
import { notificationRoutes } from './notifications.ts';
import { listMerchantRefunds } from './refunds.ts';
import { listRequests } from './request-log.ts';
import { type SecretTools, secretRoutes } from './secret-routes.ts';
import { settingRoutes } from './settings.ts';
import { storeRoutes } from './stores.ts';
import { getPaymentTimeline } from './timeline.ts';
import { viewRoutes } from './view-routes.ts';

/** What only the dashboard calls, for a member of the merchant. */
export const memberRoutes = (tools: SecretTools & InsightTools): readonly Route[] => [
  ...moneyRoutes(tools),
  ...paymentRoutes(tools),
  ...viewRoutes(tools),
  ...notificationRoutes(tools),
  ...settingRoutes(tools),
  ...storeRoutes(tools),
  ...developerRoutes(tools),
  ...secretRoutes(tools),
];

const moneyRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(moneyOperation, ({ query }, { tenant }) => getMoney(tools, tenant, query)),
  route(moneyRowsOperation, ({ query }, { tenant }) => listMoneyRows(tools, tenant, query)),
];

const paymentRoutes = (tools: InsightTools): readonly Route[] => [
  route(funnelOperation, ({ query }, { tenant }) => getFunnel(tools, tenant, query)),
  route(failuresOperation, ({ query }, { tenant }) => listFailures(tools, tenant, query)),
  route(timelineOperation, ({ params }, { tenant }) =>
    getPaymentTimeline(tools, tenant, params.paymentRequestId),
  ),
  route(refundsOperation, ({ query }, { tenant }) => listMerchantRefunds(tools, tenant, query)),
];

const developerRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(deliveriesOperation, ({ query }, { tenant }) => listDeliveries(tools, tenant, query)),
  route(deliveryOperation, ({ params }, { tenant }) => getDelivery(tools, tenant, params)),
  route(healthOperation, ({ query }, { tenant }) => listWebhookHealth(tools, tenant, query.hours)),
  route(eventsOperation, ({ query }, { tenant }) => listEvents(tools, tenant, query)),
  route(requestsOperation, ({ query }, { tenant }) => listRequests(tools, tenant, query)),
];

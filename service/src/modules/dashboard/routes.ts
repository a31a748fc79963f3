import type { Route } from '#platform/http/route.ts';
import { customerSumRoutes } from './customer-sums.ts';
import { deliveryRoutes } from './deliveries.ts';
import { disputeRoutes } from './disputes.ts';
import { eventRoutes } from './events.ts';
import { type InsightTools, insightRoutes } from './insights.ts';
import { moneyRoutes } from './money.ts';
import { moneyRowRoutes } from './money-rows.ts';
import { notificationRoutes } from './notifications.ts';
import { paymentMoneyRoutes } from './payment-money.ts';
import { referenceRoutes } from './references.ts';
import { refundRoutes } from './refunds.ts';
import { requestRoutes } from './request-log.ts';
import { type SecretTools, secretRoutes } from './secrets.ts';
import { settingRoutes } from './settings.ts';
import { statementRoutes } from './statement.ts';
import { storeRoutes } from './stores.ts';
import { timelineRoutes } from './timeline.ts';
import { viewRoutes } from './views.ts';
import { webhookRoutes } from './webhooks.ts';

/** What only the dashboard calls, for a member of the merchant. */
export const memberRoutes = (tools: SecretTools & InsightTools): readonly Route[] =>
  [
    ...[
      moneyRoutes,
      moneyRowRoutes,
      statementRoutes,
      insightRoutes,
      timelineRoutes,
      paymentMoneyRoutes,
    ],
    ...[refundRoutes, disputeRoutes, referenceRoutes, customerSumRoutes, viewRoutes],
    ...[notificationRoutes, settingRoutes, storeRoutes, secretRoutes],
    ...[deliveryRoutes, webhookRoutes, eventRoutes, requestRoutes],
  ].flatMap((routes) => routes(tools));

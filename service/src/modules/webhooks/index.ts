import { merchantCommands } from './commands.ts';
import { webhooksDue } from './delivery/webhooks-due.ts';
import { encryptedColumns } from './encrypted-columns.ts';
import { mailDueAt } from './history/store/mails.ts';
import { streamWebhookEvents } from './history/stream-webhook-events.ts';
import { webhookJobs } from './jobs.ts';
import { merchantRoutes } from './merchant-routes.ts';

// What the programs mount

export const webhooksModule = {
  name: 'webhooks',
  routes: [merchantRoutes],
  streams: [streamWebhookEvents],
  jobs: [webhookJobs],
  dueAt: { sendMails: mailDueAt },
  dueSource: webhooksDue,
  merchantCommands,
  encryptedColumns,
};

// Routes and jobs

export { failedMails, mailOwnersCtes, sendMailAgain } from './history/store/mails.ts';
export { webhookJobs } from './jobs.ts';
export { merchantRoutes } from './merchant-routes.ts';

// Endpoints

export { createWebhookEndpoint } from './endpoints/change-endpoints.ts';
export { listWebhookStatuses, setWebhookStatus } from './endpoints/set-webhook-status.ts';
export { openWebhookNetwork, type WebhookNetwork } from './endpoints/webhook-network.ts';

// Signing secrets

export {
  listSigningSecrets,
  promoteSigningSecret,
  rotateSigningSecret,
  stageSigningSecret,
} from './secrets/signing-secrets.ts';

// Delivery

export {
  type Dispatcher,
  type DispatcherSettings,
  startDispatcher,
} from './delivery/start-dispatcher.ts';
export { stuckDeliveries } from './delivery/store/queue.ts';
export { webhooksDue } from './delivery/webhooks-due.ts';

// Deliveries and events

export { deliveryView, getWebhookDelivery } from './history/deliveries.ts';
export { countMissed } from './history/replay-webhooks.ts';
export type { DeliveryRow } from './history/store/log.ts';
export { streamWebhookEvents } from './history/stream-webhook-events.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';

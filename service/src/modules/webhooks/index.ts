// Routes and jobs

export { failedMails, sendMailAgain } from './history/store/failed-mails.ts';
export { mailOwnersCtes } from './history/store/mail-owners-ctes.ts';
export { mailDueAt } from './history/store/mails.ts';
export { webhookJobs } from './jobs.ts';
export { merchantRoutes } from './merchant-routes.ts';

// Endpoints

export { createWebhookEndpoint } from './endpoints/create-webhook-endpoint.ts';
export { listWebhookStatuses, setWebhookStatus } from './endpoints/set-webhook-status.ts';
export { openWebhookNetwork, type WebhookNetwork } from './endpoints/webhook-network.ts';

// Signing secrets

export { listSigningSecrets } from './secrets/list-signing-secrets.ts';
export { promoteSigningSecret } from './secrets/promote-signing-secret.ts';
export { rotateSigningSecret } from './secrets/rotate-signing-secret.ts';
export { stageSigningSecret } from './secrets/stage-signing-secret.ts';

// Delivery

export {
  type Dispatcher,
  type DispatcherSettings,
  startDispatcher,
} from './delivery/start-dispatcher.ts';
export { stuckDeliveries } from './delivery/store/stuck-deliveries.ts';
export { webhooksDue } from './delivery/webhooks-due.ts';

// Deliveries and events

export { deliveryView } from './history/delivery-view.ts';
export { getWebhookDelivery } from './history/get-webhook-delivery.ts';

export { streamWebhookEvents } from './history/stream-webhook-events.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';

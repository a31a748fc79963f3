export { createWebhookEndpoint } from './create-webhook-endpoint.ts';
export {
  type Dispatcher,
  type DispatcherSettings,
  startDispatcher,
} from './dispatch/start-dispatcher.ts';
export { webhookJobs } from './jobs.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { promoteSigningSecret } from './promote-signing-secret.ts';
export { rotateSigningSecret } from './rotate-signing-secret.ts';
export { sandboxRoutes } from './sandbox-routes.ts';
export { listWebhookStatuses, setWebhookStatus } from './set-webhook-status.ts';
export { stageSigningSecret } from './stage-signing-secret.ts';
export { streamWebhookEvents } from './stream-webhook-events.ts';
export { openWebhookNetwork, type WebhookNetwork } from './webhook-network.ts';
export { webhooksDue } from './webhooks-due.ts';

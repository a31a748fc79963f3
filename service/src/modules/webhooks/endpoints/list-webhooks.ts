import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { webhookView } from './endpoint-view.ts';
import { listV1Webhooks } from './store/endpoints.ts';

export const listWebhooks = async (tools: Uses<'database'>, tenant: Tenant) =>
  (await tools.database.tenant(tenant.merchantId, listV1Webhooks, tenant)).map(webhookView);

import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { requireEndpoint } from '../endpoints/get-webhook-endpoint.ts';
import { attemptView, deliveryView } from './delivery-view.ts';
import { listAttempts, readDelivery } from './store/log.ts';

const maxAttempts = 100;

export const getWebhookDelivery = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  endpointId: string,
  deliveryId: string,
) => {
  await requireEndpoint(tools, tenant, endpointId);
  const values = { ...tenant, endpointId, deliveryId, limit: maxAttempts };
  const [[row], attempts] = await Promise.all([
    tools.database.tenant(tenant.merchantId, readDelivery, values),
    tools.database.tenant(tenant.merchantId, listAttempts, values),
  ]);
  if (!row) throw noDelivery();
  return { ...deliveryView(row), body: row.body, log: attempts.map(attemptView) };
};

export const noDelivery = (): Failure =>
  new Failure(failures.notFound, { message: 'No delivery was found under this id.' });

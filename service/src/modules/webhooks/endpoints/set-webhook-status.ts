import type { setWebhookStatus as operation, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { missingEndpoint } from './endpoint.ts';
import {
  type EndpointStatusRow,
  listEndpointStatuses,
  pauseEndpoint,
  readEndpointStatus,
  resumeEndpoint,
} from './store/endpoint-status.ts';

type StatusView = ReplyOf<typeof operation>;

const statements = { ACTIVE: resumeEndpoint, PAUSED: pauseEndpoint } as const;

/**
 * Deliveries due while it is paused are cancelled by the dispatcher, which sees it at its claim.
 */
export const setWebhookStatus = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  endpointId: string,
  status: keyof typeof statements | undefined,
): Promise<StatusView> => {
  const input = status ? statements[status] : readEndpointStatus;
  const values = { ...tenant, endpointId };
  const [row] = await tools.database.tenant(tenant.merchantId, input, values);
  if (!row) throw await missingEndpoint(tools, tenant, endpointId);
  if (status) tools.wakeDispatcher([endpointId]);
  return statusView(row);
};

export const listWebhookStatuses = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<readonly (StatusView & { readonly events: readonly string[] })[]> =>
  (await database.tenant(tenant.merchantId, listEndpointStatuses, tenant)).map((row) => ({
    ...statusView(row),
    events: row.events,
  }));

const statusView = (row: EndpointStatusRow): StatusView => ({
  id: row.endpoint_id,
  url: row.url,
  status: row.paused_at === null ? 'ACTIVE' : 'PAUSED',
  pausedAt: row.paused_at?.toISOString() ?? null,
  missedSince: row.missed_since?.toISOString() ?? null,
});

import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { retryDeadlock } from '#platform/database/database-unavailable.ts';
import type { Uses } from '#platform/tools.ts';
import { openWebhookNetwork, type WebhookNetwork } from '../endpoints/webhook-network.ts';
import { attemptDelivery } from './attempt/attempt-delivery.ts';
import { completeAttempts } from './complete-attempts.ts';
import { healthOf } from './endpoint-health.ts';
import {
  type ClaimedRow,
  cancelWaiting as cancel,
  claimDue,
  nextTenantDelivery,
  recomputeTenantDeliveries,
  tenantEndpointsDue,
} from './store/queue.ts';

/** The longest attempt, and time to record it. */
export const deliveryLeaseMs = limits.webhookTimeoutMs + 10_000;

const chunk = 1_000;

/** A claim that met an endpoint which is closed: what waits there is not claimed one by one. */
export const cancelWaiting = async (
  { database }: Uses<'database'>,
  rows: readonly ClaimedRow[],
): Promise<void> => {
  const endpoints = closedEndpoints(rows);
  if (endpoints.length === 0) return;
  await database.system(cancel, {
    merchantIds: endpoints.map((row) => row.merchant_id),
    environments: endpoints.map((row) => row.environment),
    endpointIds: endpoints.map((row) => row.endpoint_id),
    limit: chunk,
  });
};

/** One row of each endpoint that is deleted or paused. */
export const closedEndpoints = (rows: readonly ClaimedRow[]): readonly ClaimedRow[] => {
  const closed = rows.filter((row) => row.endpoint_is_deleted || row.endpoint_is_paused);
  return [...new Map(closed.map((row) => [row.endpoint_id, row])).values()];
};

const slotsPerEndpoint = 50;
const lookEveryMs = 10;
const patienceMs = 15_000;

/**
 * What falls due for a merchant's deliveries when its sandbox clock is moved. It delivers by
 * itself, also past a breaker, which waits in real time; a dispatcher beside it does no harm.
 */
export const webhooksDue = (
  tools: Uses<'database' | 'clock' | 'ids' | 'secrets' | 'log' | 'config'> & {
    readonly webhookNetwork?: WebhookNetwork;
  },
) => {
  const { database } = tools;
  const webhookNetwork = tools.webhookNetwork ?? openWebhookNetwork(tools.config);
  const attempt = attemptDelivery({ ...tools, webhookNetwork });
  const endpointsDue = async (tenant: Tenant): Promise<readonly string[]> => {
    const rows = await database.tenant(tenant.merchantId, tenantEndpointsDue, tenant);
    return rows.map((row) => row.endpoint_id);
  };
  const deliver = async (endpointIds: readonly string[]): Promise<number> => {
    const rows = await database.system(claimDue, {
      endpointIds,
      slots: endpointIds.map(() => slotsPerEndpoint),
      afters: endpointIds.map(() => '-infinity'),
      leaseMs: deliveryLeaseMs,
    });
    const results = await Promise.all(rows.map(attempt));
    const left = await completeAttempts(tools, { results, healths: healthOf(results) });
    if (left.error) throw left.error;
    await cancelWaiting(tools, rows);
    return rows.length;
  };
  return {
    nextDueAt: async (tenant: Tenant, after: Date): Promise<Date | null> => {
      const values = { ...tenant, after };
      const [row] = await database.tenant(tenant.merchantId, nextTenantDelivery, values);
      return row?.next ?? null;
    },
    recompute: async (tenant: Tenant): Promise<void> => {
      const { merchantId } = tenant;
      await retryDeadlock(() => database.tenant(merchantId, recomputeTenantDeliveries, tenant));
    },
    runDue: async (tenant: Tenant): Promise<void> => {
      const until = performance.now() + patienceMs;
      for (;;) {
        const endpointIds = await endpointsDue(tenant);
        if (endpointIds.length === 0 || performance.now() > until) return;
        // Nothing to claim: a dispatcher has it and will record the outcome.
        if ((await deliver(endpointIds)) > 0) continue;
        await sleep(lookEveryMs);
      }
    },
  };
};

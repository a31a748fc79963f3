import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '#kernel/environment.ts';
import { retryDeadlock } from '#platform/database/retry-deadlock.ts';
import type { Uses } from '#platform/tools.ts';
import { openWebhookNetwork, type WebhookNetwork } from '../endpoints/webhook-network.ts';
import { attemptDelivery } from './attempt/attempt-delivery.ts';
import { cancelWaiting } from './cancel-waiting.ts';
import { completeAttempts } from './complete-attempts.ts';
import { deliveryLeaseMs } from './delivery-lease.ts';
import { healthOf } from './endpoint-health.ts';
import { claimDue } from './store/queue.ts';
import {
  nextTenantDelivery,
  recomputeTenantDeliveries,
  tenantEndpointsDue,
} from './store/tenant-due.ts';

const slotsPerEndpoint = 50;
const lookEveryMs = 10;
const patienceMs = 15_000;

/**
 * What falls due for a merchant's deliveries when its sandbox clock is moved. It delivers by
 * itself, also past a breaker, which waits in real time; a dispatcher beside it does no harm.
 */
export const webhooksDue = (
  tools: Uses<'database' | 'clock' | 'ids' | 'secrets' | 'log' | 'config'> &
    Partial<Uses<'workAhead'>> & { readonly webhookNetwork?: WebhookNetwork },
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
        tools.workAhead?.writeResults();
        await sleep(lookEveryMs);
      }
    },
  };
};

import type { Tenant } from '#kernel/environment.ts';
import type { ClaimedAhead, DeliveryClaim } from '#platform/work-ahead.ts';
import {
  changeInFlight,
  isHealthy,
  never,
  type ReadyEndpoints,
  shareLeft,
  tenantKey,
} from './ready-endpoints.ts';
import type { ClaimedRow } from './store/queue.ts';

/** Slots for the deliveries of events that a statement is about to emit, taken until it has committed. */
export const claimAhead = (
  { set, leaseMs }: { readonly set: ReadyEndpoints; readonly leaseMs: number },
  tenant: Tenant,
  events: number,
  launch: (rows: readonly ClaimedRow[]) => void,
): DeliveryClaim | null => {
  const endpointIds = reserveSlots(set, tenant, events);
  if (endpointIds.length === 0) return null;
  return {
    endpointIds,
    leaseMs,
    deliver: (deliveries) => {
      releaseSlots(set, endpointIds, events);
      launch(deliveries.map((delivery) => rowOf(tenant, delivery)));
    },
  };
};

const rowOf = ({ merchantId, environment }: Tenant, delivery: ClaimedAhead): ClaimedRow => ({
  ...delivery,
  merchant_id: merchantId,
  environment,
  delivery_id: BigInt(delivery.delivery_id),
  attempts: 1,
  due_at: new Date(delivery.due_at),
  attempted_at: new Date(delivery.attempted_at),
  claimed_at: new Date(delivery.claimed_at),
  event_type: delivery.event_type as ClaimedRow['event_type'],
  failing_since: null,
  isClaimedAhead: true,
});

/**
 * The endpoints of a tenant that would get this many deliveries at once, with slots taken for them. Only
 * where all is well and nothing waits: anything else is for the claim that follows the limits.
 */
export const reserveSlots = (
  set: ReadyEndpoints,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: string },
  slots: number,
): readonly string[] => {
  const reserved: string[] = [];
  for (const endpointId of set.ofTenant.get(tenantKey(merchantId, environment)) ?? []) {
    const endpoint = set.endpoints.get(endpointId);
    if (!endpoint) continue;
    const hasRoom =
      endpoint.inFlight + slots <= endpoint.allowed &&
      slots <= shareLeft(set, endpoint, { taken: set.inFlight }) &&
      set.inFlight + slots <= set.max.inFlight;
    const waits = endpoint.dueAt !== never || endpoint.rate.perSecond !== null;
    if (!hasRoom || waits || !isHealthy(set, endpointId)) continue;
    changeInFlight(set, endpoint, slots);
    reserved.push(endpointId);
  }
  return reserved;
};

export const releaseSlots = (
  set: ReadyEndpoints,
  endpointIds: readonly string[],
  slots: number,
): void => {
  for (const endpointId of endpointIds) {
    const endpoint = set.endpoints.get(endpointId);
    if (endpoint) changeInFlight(set, endpoint, -slots);
  }
};

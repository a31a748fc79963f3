import type { Tenant } from '#kernel/environment.ts';
import type { ClaimedAhead, DeliveryClaim } from '#platform/work-ahead.ts';
import { type ReadyEndpoints, releaseSlots, reserveSlots } from './ready-endpoints.ts';
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

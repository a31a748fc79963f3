import type { Tenant } from '#kernel/environment.ts';

/**
 * Work that the statement which makes it may claim for this program, because this program does it at
 * once. Killed before that, it is claimed again when the lease is over.
 */
export type WorkAhead = {
  /** Null: nothing of this tenant would be delivered at once. */
  readonly claimDeliveries: (tenant: Tenant, events: number) => DeliveryClaim | null;
  /** Results of such deliveries, which are held for company, are written now: someone waits for them. */
  readonly writeResults: () => void;
  readonly ownPolls: OwnPolls;
};

export type DeliveryClaim = {
  /** One delivery of each event to each of these endpoints may be claimed. */
  readonly endpointIds: readonly string[];
  readonly leaseMs: number;
  /** After the commit, exactly once: also when nothing was claimed. */
  readonly deliver: (deliveries: readonly ClaimedAhead[]) => void;
};

/** As the statement answers it, in JSON. */
export type ClaimedAhead = {
  readonly endpoint_id: string;
  readonly delivery_id: string;
  readonly event_written_at: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly sequence: number;
  readonly signing_secret_id: string | null;
  readonly body: string;
  readonly due_at: string;
  readonly attempted_at: string;
  readonly claimed_at: string;
  readonly remaining_ms: number;
  readonly endpoint_version: number;
  readonly endpoint_is_paused: boolean;
  readonly endpoint_is_deleted: boolean;
  readonly rate_per_second: number | null;
};

export type OwnPolls = {
  readonly hasRoom: () => boolean;
  readonly schedule: (poll: OwnPoll) => void;
};

export type OwnPoll = {
  readonly tenant: Tenant;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  readonly institutionId: string;
  /** Another number in the row: someone else has polled meanwhile. */
  readonly pollCount: number;
  readonly inMs: number;
};

export const noWorkAhead: WorkAhead = {
  claimDeliveries: () => null,
  writeResults: () => undefined,
  ownPolls: { hasRoom: () => false, schedule: () => undefined },
};

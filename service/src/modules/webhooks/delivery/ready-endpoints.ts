import type { AttemptResult } from './attempt/attempt-delivery.ts';
import { type RateBucket, rateBucket, slotsAt, takeSlot } from './pacing.ts';
import type { ClaimedRow, ReadyRow } from './store/queue.ts';

type Endpoint = {
  readonly endpointId: string;
  /** The merchant and its environment. */
  readonly tenant: string;
  /** Monotonic; infinite when nothing is known to be pending. */
  dueAt: number;
  inFlight: number;
  /** How many at once: one while it is tried out, then twice as many with every success. */
  allowed: number;
  failuresInARow: number;
  openUntil: number;
  readonly rate: RateBucket;
  /** Earlier deliveries were claimed, except those committed late: see `watermark`. */
  after: Date | null;
  sweptAt: number;
  sweptAllAt: number;
  seenAt: number;
};

/**
 * Which endpoints may be claimed for, and how much. Each endpoint and each tenant has a share of its
 * own, so that those that hang cannot starve others. Pure bookkeeping: `now` is a monotonic clock in
 * milliseconds.
 */
export type ReadyEndpoints = {
  readonly endpoints: Map<string, Endpoint>;
  readonly max: {
    readonly perEndpoint: number;
    /** More only while less than half of all slots are taken. */
    readonly perTenant: number;
    readonly inFlight: number;
  };
  inFlight: number;
  readonly inFlightOfTenant: Map<string, number>;
  turn: number;
};

export type SlotRequest = {
  readonly endpointId: string;
  readonly slots: number;
  readonly after: string;
};

const lateCommitMs = 500;
const sweepEveryMs = 5_000;
// No transaction of ours lives longer: statements end after ten seconds.
const latestCommitMs = 30_000;
const sweepAllEveryMs = 60_000;
const forgottenAfterMs = 10 * 60 * 1000;
/** A few failures in a row are chance; from here on the endpoint is probed only now and then. */
const breaker = { after: 5, firstMs: 2_000, maxMs: 60_000 };
const never = Number.POSITIVE_INFINITY;

export const readyEndpoints = (max: ReadyEndpoints['max']): ReadyEndpoints => ({
  endpoints: new Map(),
  max,
  inFlight: 0,
  inFlightOfTenant: new Map(),
  turn: 0,
});

type EndpointRow = Pick<ReadyRow, 'endpoint_id' | 'merchant_id' | 'environment'>;

const meet = (
  { endpoints, max }: ReadyEndpoints,
  { endpoint_id: endpointId, merchant_id, environment }: EndpointRow,
): Endpoint => {
  const found = endpoints.get(endpointId);
  if (found) return found;
  const made: Endpoint = {
    endpointId,
    tenant: `${merchant_id} ${environment}`,
    dueAt: never,
    inFlight: 0,
    allowed: max.perEndpoint,
    failuresInARow: 0,
    openUntil: 0,
    rate: rateBucket(),
    after: null,
    sweptAt: Number.NEGATIVE_INFINITY,
    sweptAllAt: Number.NEGATIVE_INFINITY,
    seenAt: 0,
  };
  endpoints.set(endpointId, made);
  return made;
};

const due = (endpoint: Endpoint, at: number): void => {
  endpoint.dueAt = Math.min(endpoint.dueAt, at);
};

/** Whether all of them are known: the tenant of another is not, so it must be discovered. */
export const endpointsDue = (
  { endpoints }: ReadyEndpoints,
  endpointIds: readonly string[],
  at: number,
): boolean => {
  let areKnown = true;
  for (const endpointId of endpointIds) {
    const endpoint = endpoints.get(endpointId);
    if (endpoint) due(endpoint, at);
    else areKnown = false;
  }
  return areKnown;
};

/** Not claimed until a wake says that they are due. */
export const endpointsResting = (set: ReadyEndpoints, rows: readonly ClaimedRow[]): void => {
  for (const row of rows) meet(set, row).dueAt = never;
};

export const endpointsDiscovered = (
  set: ReadyEndpoints,
  rows: readonly ReadyRow[],
  now: number,
): void => {
  for (const row of rows) {
    const endpoint = meet(set, row);
    due(endpoint, now + Math.max(0, row.due_in_ms));
    endpoint.seenAt = now;
    // Earlier than the claimed ones: their worker died.
    if (-row.due_in_ms > latestCommitMs)
      endpoint.sweptAllAt = Math.min(endpoint.sweptAllAt, now - sweepAllEveryMs + sweepEveryMs);
  }
  for (const [endpointId, { inFlight, dueAt, seenAt }] of set.endpoints)
    if (inFlight === 0 && dueAt === never && seenAt + forgottenAfterMs < now)
      set.endpoints.delete(endpointId);
};

/** What the endpoint's tenant may take, when so many slots are taken in all. */
const shareLeft = (
  { max, inFlightOfTenant }: ReadyEndpoints,
  { tenant }: Endpoint,
  { taken, requested = 0 }: { readonly taken: number; readonly requested?: number },
): number => {
  const own = (inFlightOfTenant.get(tenant) ?? 0) + requested;
  return Math.max(max.perTenant - own, max.inFlight / 2 - taken);
};

const slotsOf = (endpoint: Endpoint, now: number): number =>
  endpoint.openUntil > now || endpoint.dueAt > now
    ? 0
    : Math.min(endpoint.allowed - endpoint.inFlight, slotsAt(endpoint.rate, now));

/** Starts each time after its last stop, so that no endpoint is always the last. */
export const requestSlots = (set: ReadyEndpoints, now: number): readonly SlotRequest[] => {
  if (set.inFlight >= set.max.inFlight) return [];
  const all = [...set.endpoints.values()];
  const first = set.turn % Math.max(1, all.length);
  set.turn += 1;
  let taken = set.inFlight;
  const requestedOfTenant = new Map<string, number>();
  const requests: SlotRequest[] = [];
  for (const endpoint of [...all.slice(first), ...all.slice(0, first)]) {
    const requested = requestedOfTenant.get(endpoint.tenant) ?? 0;
    const share = shareLeft(set, endpoint, { taken, requested });
    const slots = Math.min(set.max.inFlight - taken, share, slotsOf(endpoint, now));
    if (slots <= 0) continue;
    taken += slots;
    requestedOfTenant.set(endpoint.tenant, requested + slots);
    // Before the claim is sent: a wake during the claim must not be lost.
    endpoint.dueAt = never;
    requests.push({ endpointId: endpoint.endpointId, slots, after: watermark(endpoint, now) });
  }
  return requests;
};

/** Claimed rows leave dead entries at the start of the index; starting after them costs nothing. */
const watermark = (endpoint: Endpoint, now: number): string => {
  const { after } = endpoint;
  endpoint.seenAt = now;
  if (after === null || endpoint.sweptAllAt + sweepAllEveryMs <= now) {
    endpoint.sweptAllAt = now;
    endpoint.sweptAt = now;
    return '-infinity';
  }
  if (endpoint.sweptAt + sweepEveryMs > now) return after.toISOString();
  endpoint.sweptAt = now;
  return new Date(after.getTime() - latestCommitMs).toISOString();
};

export const rowsClaimed = (
  set: ReadyEndpoints,
  requests: readonly SlotRequest[],
  rows: readonly ClaimedRow[],
  now: number,
): void => {
  const missing = new Map(requests.map(({ endpointId, slots }) => [endpointId, slots]));
  for (const row of rows) {
    const endpoint = meet(set, row);
    changeInFlight(set, endpoint, 1);
    takeSlot(endpoint.rate, row.rate_per_second, now);
    missing.set(row.endpoint_id, (missing.get(row.endpoint_id) ?? never) - 1);
    const after = new Date(row.due_at.getTime() - lateCommitMs);
    if (endpoint.after === null || after > endpoint.after) endpoint.after = after;
  }
  // The claim was full: there may be more.
  for (const [endpointId, slots] of missing) if (slots <= 0) endpointsDue(set, [endpointId], now);
};

const changeInFlight = (set: ReadyEndpoints, endpoint: Endpoint, by: number): void => {
  endpoint.inFlight += by;
  set.inFlight += by;
  const ofTenant = (set.inFlightOfTenant.get(endpoint.tenant) ?? 0) + by;
  if (ofTenant > 0) set.inFlightOfTenant.set(endpoint.tenant, ofTenant);
  else set.inFlightOfTenant.delete(endpoint.tenant);
};

export const attemptEnded = (set: ReadyEndpoints, row: ClaimedRow): void => {
  changeInFlight(set, meet(set, row), -1);
};

export const resultsWritten = (
  set: ReadyEndpoints,
  results: readonly AttemptResult[],
  now: number,
): void => {
  for (const { row, state, delayMs, ended } of results) {
    const endpoint = meet(set, row);
    if (state === 'PENDING') due(endpoint, now + delayMs);
    if (ended.outcome === 'DELIVERED') succeeded(set, endpoint);
    else if (ended.outcome !== 'CANCELLED' && ended.outcome !== 'NOT_SENT') failed(endpoint, now);
  }
};

const succeeded = (set: ReadyEndpoints, endpoint: Endpoint): void => {
  endpoint.failuresInARow = 0;
  endpoint.openUntil = 0;
  endpoint.allowed = Math.min(set.max.perEndpoint, endpoint.allowed * 2);
};

const failed = (endpoint: Endpoint, now: number): void => {
  endpoint.failuresInARow += 1;
  const steps = endpoint.failuresInARow - breaker.after;
  if (steps < 0) return;
  endpoint.allowed = 1;
  endpoint.openUntil = now + Math.min(breaker.maxMs, breaker.firstMs * 2 ** Math.min(steps, 10));
  // Others than the one that was tried may be waiting.
  due(endpoint, endpoint.openUntil);
};

/** The time of the next claim; infinite when only an answer or a wake can change that. */
export const nextReadyAt = (set: ReadyEndpoints): number => {
  if (set.inFlight >= set.max.inFlight) return never;
  let next = never;
  for (const endpoint of set.endpoints.values())
    if (
      endpoint.allowed > endpoint.inFlight &&
      shareLeft(set, endpoint, { taken: set.inFlight }) > 0
    )
      next = Math.min(next, Math.max(endpoint.dueAt, endpoint.openUntil, endpoint.rate.nextAt));
  return next;
};

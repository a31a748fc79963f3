import type { AttemptResult } from './attempt/attempt-delivery.ts';
import { type RateBucket, rateBucket, slotsAt, takeSlot } from './pacing.ts';
import type { ClaimedRow, ReadyRow } from './store/queue.ts';

type Endpoint = {
  readonly endpointId: string;
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
  tenant: string | null;
};

/**
 * Which endpoints may be claimed for, and how much. Each has a share of its own, so that one that
 * hangs cannot starve another. Pure bookkeeping: `now` is a monotonic clock in milliseconds.
 */
export type ReadyEndpoints = {
  readonly endpoints: Map<string, Endpoint>;
  /** Those that have been delivered to, by tenant. */
  readonly ofTenant: Map<string, Set<string>>;
  readonly max: { readonly perEndpoint: number; readonly inFlight: number };
  inFlight: number;
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
  ofTenant: new Map(),
  max,
  inFlight: 0,
  turn: 0,
});

const known = ({ endpoints, max }: ReadyEndpoints, endpointId: string): Endpoint => {
  const found = endpoints.get(endpointId);
  if (found) return found;
  const made: Endpoint = {
    endpointId,
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
    tenant: null,
  };
  endpoints.set(endpointId, made);
  return made;
};

export const endpointsDue = (
  set: ReadyEndpoints,
  endpointIds: readonly string[],
  at: number,
): void => {
  for (const endpointId of endpointIds) {
    const endpoint = known(set, endpointId);
    endpoint.dueAt = Math.min(endpoint.dueAt, at);
  }
};

/** Not claimed until a wake says that they are due. */
export const endpointsResting = (set: ReadyEndpoints, endpointIds: readonly string[]): void => {
  for (const endpointId of endpointIds) known(set, endpointId).dueAt = never;
};

export const endpointsDiscovered = (
  set: ReadyEndpoints,
  rows: readonly ReadyRow[],
  now: number,
): void => {
  for (const { endpoint_id, due_in_ms } of rows) {
    endpointsDue(set, [endpoint_id], now + Math.max(0, due_in_ms));
    const endpoint = known(set, endpoint_id);
    endpoint.seenAt = now;
    // Earlier than the claimed ones: their worker died.
    if (-due_in_ms > latestCommitMs)
      endpoint.sweptAllAt = Math.min(endpoint.sweptAllAt, now - sweepAllEveryMs + sweepEveryMs);
  }
  for (const [endpointId, { inFlight, dueAt, seenAt }] of set.endpoints)
    if (inFlight === 0 && dueAt === never && seenAt + forgottenAfterMs < now)
      forget(set, endpointId);
};

const forget = (set: ReadyEndpoints, endpointId: string): void => {
  const tenant = set.endpoints.get(endpointId)?.tenant ?? '';
  const others = set.ofTenant.get(tenant);
  others?.delete(endpointId);
  if (others?.size === 0) set.ofTenant.delete(tenant);
  set.endpoints.delete(endpointId);
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
  let free = set.max.inFlight - set.inFlight;
  const requests: SlotRequest[] = [];
  for (const endpoint of [...all.slice(first), ...all.slice(0, first)]) {
    const slots = Math.min(free, slotsOf(endpoint, now));
    if (slots <= 0) continue;
    free -= slots;
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
    const endpoint = known(set, row.endpoint_id);
    rememberTenant(set, endpoint, row);
    endpoint.inFlight += 1;
    takeSlot(endpoint.rate, row.rate_per_second, now);
    set.inFlight += 1;
    missing.set(row.endpoint_id, (missing.get(row.endpoint_id) ?? never) - 1);
    const after = new Date(row.due_at.getTime() - lateCommitMs);
    if (endpoint.after === null || after > endpoint.after) endpoint.after = after;
  }
  // The claim was full: there may be more.
  for (const [endpointId, slots] of missing) if (slots <= 0) endpointsDue(set, [endpointId], now);
};

const rememberTenant = (set: ReadyEndpoints, endpoint: Endpoint, row: ClaimedRow): void => {
  if (endpoint.tenant !== null) return;
  const tenant = tenantKey(row.merchant_id, row.environment);
  endpoint.tenant = tenant;
  const others = set.ofTenant.get(tenant);
  if (others) others.add(endpoint.endpointId);
  else set.ofTenant.set(tenant, new Set([endpoint.endpointId]));
};

const tenantKey = (merchantId: string, environment: string): string =>
  `${merchantId} ${environment}`;

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
    const endpoint = known(set, endpointId);
    const hasRoom =
      endpoint.inFlight + slots <= endpoint.allowed && set.inFlight + slots <= set.max.inFlight;
    const waits = endpoint.dueAt !== never || endpoint.rate.perSecond !== null;
    if (!hasRoom || waits || !isHealthy(set, endpointId)) continue;
    endpoint.inFlight += slots;
    set.inFlight += slots;
    reserved.push(endpointId);
  }
  return reserved;
};

export const releaseSlots = (
  set: ReadyEndpoints,
  endpointIds: readonly string[],
  slots: number,
): void => {
  for (const endpointId of endpointIds) known(set, endpointId).inFlight -= slots;
  set.inFlight -= slots * endpointIds.length;
};

export const isHealthy = (set: ReadyEndpoints, endpointId: string): boolean => {
  const { failuresInARow, allowed } = known(set, endpointId);
  return failuresInARow === 0 && allowed === set.max.perEndpoint;
};

export const attemptEnded = (set: ReadyEndpoints, row: ClaimedRow): void => {
  known(set, row.endpoint_id).inFlight -= 1;
  set.inFlight -= 1;
};

export const resultsWritten = (
  set: ReadyEndpoints,
  results: readonly AttemptResult[],
  now: number,
): void => {
  for (const { row, state, delayMs, ended } of results) {
    if (state === 'PENDING') endpointsDue(set, [row.endpoint_id], now + delayMs);
    const endpoint = known(set, row.endpoint_id);
    if (ended.outcome === 'DELIVERED') succeeded(set, endpoint);
    else if (ended.outcome !== 'CANCELLED' && ended.outcome !== 'NOT_SENT')
      failed(set, endpoint, now);
  }
};

const succeeded = (set: ReadyEndpoints, endpoint: Endpoint): void => {
  endpoint.failuresInARow = 0;
  endpoint.openUntil = 0;
  endpoint.allowed = Math.min(set.max.perEndpoint, endpoint.allowed * 2);
};

const failed = (set: ReadyEndpoints, endpoint: Endpoint, now: number): void => {
  endpoint.failuresInARow += 1;
  const steps = endpoint.failuresInARow - breaker.after;
  if (steps < 0) return;
  endpoint.allowed = 1;
  endpoint.openUntil = now + Math.min(breaker.maxMs, breaker.firstMs * 2 ** Math.min(steps, 10));
  // Others than the one that was tried may be waiting.
  endpointsDue(set, [endpoint.endpointId], endpoint.openUntil);
};

/** The time of the next claim; infinite when only an answer or a wake can change that. */
export const nextReadyAt = (set: ReadyEndpoints): number => {
  if (set.inFlight >= set.max.inFlight) return never;
  let next = never;
  for (const endpoint of set.endpoints.values())
    if (endpoint.allowed > endpoint.inFlight)
      next = Math.min(next, Math.max(endpoint.dueAt, endpoint.openUntil, endpoint.rate.nextAt));
  return next;
};

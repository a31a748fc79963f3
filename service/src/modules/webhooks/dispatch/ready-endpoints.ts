import type { EndpointHealth } from '../store/complete.ts';
import type { ClaimedRow, ReadyRow } from '../store/queue.ts';
import type { AttemptResult } from './attempt-delivery.ts';

type Endpoint = {
  readonly endpointId: string;
  /** Monotonic; infinite where nothing is known to be pending. */
  dueAt: number;
  inFlight: number;
  /** How many at once: one while it is tried out, then twice as many with every success. */
  allowed: number;
  openUntil: number;
  /** What fell due earlier was claimed, but for what was committed late: see `sweptAt`. */
  after: Date | null;
  sweptAt: number;
};

export type Asked = { readonly endpointId: string; readonly slots: number; readonly after: string };

/**
 * Which endpoints may be asked for how much now. Each has a share of its own, so that one that hangs
 * cannot starve another. Pure bookkeeping: `now` is a monotonic clock in milliseconds.
 */
export type ReadyEndpoints = {
  readonly endpoints: Map<string, Endpoint>;
  readonly most: { readonly perEndpoint: number; readonly inFlight: number };
  inFlight: number;
  turn: number;
};

const sweepEveryMs = 5_000;
const lateCommitMs = 2_000;
const never = Number.POSITIVE_INFINITY;

export const readyEndpoints = (most: ReadyEndpoints['most']): ReadyEndpoints => ({
  endpoints: new Map(),
  most,
  inFlight: 0,
  turn: 0,
});

const known = ({ endpoints, most }: ReadyEndpoints, endpointId: string): Endpoint => {
  const found = endpoints.get(endpointId);
  if (found) return found;
  const made: Endpoint = {
    endpointId,
    dueAt: never,
    inFlight: 0,
    allowed: most.perEndpoint,
    openUntil: 0,
    after: null,
    sweptAt: Number.NEGATIVE_INFINITY,
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

export const endpointsDiscovered = (
  set: ReadyEndpoints,
  rows: readonly ReadyRow[],
  now: number,
): void => {
  const pending = new Set(rows.map((row) => row.endpoint_id));
  for (const row of rows) endpointsDue(set, [row.endpoint_id], now + Math.max(0, row.due_in_ms));
  for (const [endpointId, { inFlight, dueAt, openUntil }] of set.endpoints) {
    const isIdle = inFlight === 0 && dueAt === never && openUntil < now;
    if (isIdle && !pending.has(endpointId)) set.endpoints.delete(endpointId);
  }
};

const slotsOf = (endpoint: Endpoint, now: number): number =>
  endpoint.openUntil > now || endpoint.dueAt > now ? 0 : endpoint.allowed - endpoint.inFlight;

/** Starts each time behind where it stopped, so that no endpoint is always the last. */
export const askReady = (set: ReadyEndpoints, now: number): readonly Asked[] => {
  const all = [...set.endpoints.values()];
  const first = set.turn % Math.max(1, all.length);
  set.turn += 1;
  let free = set.most.inFlight - set.inFlight;
  const asked: Asked[] = [];
  for (const endpoint of [...all.slice(first), ...all.slice(0, first)]) {
    const slots = Math.min(free, slotsOf(endpoint, now));
    if (slots <= 0) continue;
    free -= slots;
    // Before the claim is sent: a wake that comes meanwhile must not be lost.
    endpoint.dueAt = never;
    asked.push({ endpointId: endpoint.endpointId, slots, after: watermark(endpoint, now) });
  }
  return asked;
};

/** Claimed rows leave dead entries at the head of the index; starting behind them costs nothing. */
const watermark = (endpoint: Endpoint, now: number): string => {
  if (endpoint.after !== null && endpoint.sweptAt + sweepEveryMs > now)
    return endpoint.after.toISOString();
  endpoint.sweptAt = now;
  return '-infinity';
};

export const rowsClaimed = (
  set: ReadyEndpoints,
  asked: readonly Asked[],
  rows: readonly ClaimedRow[],
  now: number,
): void => {
  const missing = new Map(asked.map(({ endpointId, slots }) => [endpointId, slots]));
  for (const row of rows) {
    const endpoint = known(set, row.endpoint_id);
    endpoint.inFlight += 1;
    set.inFlight += 1;
    missing.set(row.endpoint_id, (missing.get(row.endpoint_id) ?? never) - 1);
    const after = new Date(row.due_at.getTime() - lateCommitMs);
    if (endpoint.after === null || after > endpoint.after) endpoint.after = after;
  }
  // As many as were asked for: there may be more.
  for (const [endpointId, slots] of missing) if (slots <= 0) endpointsDue(set, [endpointId], now);
};

export const attemptEnded = (set: ReadyEndpoints, row: ClaimedRow): void => {
  known(set, row.endpoint_id).inFlight -= 1;
  set.inFlight -= 1;
};

export const resultsWritten = (
  set: ReadyEndpoints,
  results: readonly AttemptResult[],
  healths: readonly EndpointHealth[],
  now: number,
): void => {
  for (const { row, state, delayMs, outcome } of results) {
    const endpoint = known(set, row.endpoint_id);
    if (state === 'PENDING') endpointsDue(set, [row.endpoint_id], now + delayMs);
    if (outcome === 'DELIVERED')
      endpoint.allowed = Math.min(set.most.perEndpoint, endpoint.allowed * 2);
  }
  for (const health of healths) breakerMoved(set, health, now);
};

const breakerMoved = (set: ReadyEndpoints, health: EndpointHealth, now: number): void => {
  const endpoint = known(set, health.endpoint_id);
  const openMs = health.breaker_open_ms;
  endpoint.openUntil = openMs === null ? 0 : now + Math.max(0, openMs);
  if (openMs === null) return;
  endpoint.allowed = 1;
  // Others than the one that was tried may be waiting.
  endpointsDue(set, [health.endpoint_id], endpoint.openUntil);
};

/** When something can be asked for next; infinite where only an answer or a wake can change that. */
export const nextReadyAt = (set: ReadyEndpoints): number => {
  if (set.inFlight >= set.most.inFlight) return never;
  let next = never;
  for (const endpoint of set.endpoints.values())
    if (endpoint.allowed > endpoint.inFlight)
      next = Math.min(next, Math.max(endpoint.dueAt, endpoint.openUntil));
  return next;
};

import type { AttemptResult } from './attempt/attempt-delivery.ts';

/** Health of an endpoint: counted up until it is written. */
export type HealthTally = {
  readonly merchant_id: string;
  readonly environment: string;
  readonly endpoint_id: string;
  failed: number;
  last_delivered_at: string | null;
  /** Of the failures after the last success. */
  failing_since: string | null;
  last_error: string | null;
  /** Of the newest attempt: what came some seconds before it is counted there too. */
  hour: string;
  attempts: number;
  delivered: number;
  took_ms: number;
  slowest_ms: number;
};

type Known = {
  open: HealthTally | null;
  hasExhausted: boolean;
  /** As it was last written; null: not by this process. */
  isFailing: boolean | null;
  writtenAt: number;
};

const restMs = 5_000;
// With no result to be written with, a success is in no hurry: it would be a commit of its own.
const aloneRestMs = 15_000;
const idleMs = 10 * 60 * 1000;
const quiet = ['CANCELLED', 'NOT_SENT'];

/**
 * The start and the end of an outage and a delivery that is given up are written at once, with
 * their deliveries; the rest after some seconds.
 */
export const endpointHealth = () => {
  const endpoints = new Map<string, Known>();
  const isDue = (known: Known, now: number, isAlone: boolean): boolean => {
    const { open, hasExhausted, isFailing, writtenAt } = known;
    if (open === null) return false;
    if (hasExhausted || isFailing !== (open.failing_since !== null)) return true;
    return writtenAt + (isAlone && !isFailing ? aloneRestMs : restMs) <= now;
  };
  return {
    add: (results: readonly AttemptResult[]): void => {
      for (const result of results) {
        const { endpoint_id } = result.row;
        const known = endpoints.get(endpoint_id) ?? unknownEndpoint();
        endpoints.set(endpoint_id, known);
        known.open ??= emptyTally(result);
        known.hasExhausted ||= result.state === 'EXHAUSTED';
        count(known.open, result);
      }
    },
    /** What must be written now, with results or alone; `all`: because the program stops. */
    take: (now: number, { all = false, isAlone = false } = {}): readonly HealthTally[] => {
      const due: HealthTally[] = [];
      for (const [endpointId, known] of endpoints) {
        if (known.open && (all || isDue(known, now, isAlone))) {
          due.push(known.open);
          known.isFailing = known.open.failing_since !== null;
          Object.assign(known, { open: null, hasExhausted: false, writtenAt: now });
        } else if (!known.open && known.writtenAt + idleMs < now) endpoints.delete(endpointId);
      }
      return due;
    },
    /** They could not be written: added again to what has come since. */
    restore: (tallies: readonly HealthTally[]): void => {
      for (const tally of tallies) {
        const known = endpoints.get(tally.endpoint_id) ?? unknownEndpoint();
        endpoints.set(tally.endpoint_id, known);
        known.open = known.open ? joined(tally, known.open) : tally;
        known.isFailing = null;
      }
    },
  };
};

const joined = (earlier: HealthTally, later: HealthTally): HealthTally => ({
  ...later,
  failed: earlier.failed + later.failed,
  last_delivered_at: later.last_delivered_at ?? earlier.last_delivered_at,
  failing_since: later.last_delivered_at
    ? later.failing_since
    : (earlier.failing_since ?? later.failing_since),
  last_error: later.last_error ?? earlier.last_error,
  attempts: earlier.attempts + later.attempts,
  delivered: earlier.delivered + later.delivered,
  took_ms: earlier.took_ms + later.took_ms,
  slowest_ms: Math.max(earlier.slowest_ms, later.slowest_ms),
});

const unknownEndpoint = (): Known => ({
  open: null,
  hasExhausted: false,
  isFailing: null,
  writtenAt: 0,
});

const emptyTally = ({ row }: AttemptResult): HealthTally => ({
  merchant_id: row.merchant_id,
  environment: row.environment,
  endpoint_id: row.endpoint_id,
  failed: 0,
  last_delivered_at: null,
  failing_since: null,
  last_error: null,
  hour: hourOf(row.attempted_at),
  attempts: 0,
  delivered: 0,
  took_ms: 0,
  slowest_ms: 0,
});

const hourOf = (at: Date): string => `${at.toISOString().slice(0, 13)}:00:00.000Z`;

const count = (tally: HealthTally, { ended, row }: AttemptResult): void => {
  const { outcome, status } = ended;
  if (quiet.includes(outcome)) return;
  const at = row.attempted_at.toISOString();
  const tookMs = Math.round(ended.timing?.totalMs ?? 0);
  tally.hour = hourOf(row.attempted_at);
  tally.attempts += 1;
  tally.took_ms += tookMs;
  tally.slowest_ms = Math.max(tally.slowest_ms, tookMs);
  if (outcome === 'DELIVERED') {
    tally.delivered += 1;
    tally.last_delivered_at = at;
    tally.failing_since = null;
    return;
  }
  tally.failed += 1;
  tally.failing_since ??= at;
  tally.last_error = status === null ? outcome : `${outcome} ${status}`;
};

/** For results that are written by themselves. */
export const healthOf = (results: readonly AttemptResult[]): readonly HealthTally[] => {
  const health = endpointHealth();
  health.add(results);
  return health.take(0, { all: true });
};

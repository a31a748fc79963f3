import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { type ClockRow, moveClock, readClock } from './store/clock.ts';

/** Something with due times of a tenant's own: expiry, polls, deliveries, captures, payouts. */
export type DueSource = {
  /** The earliest open due time after this instant, in the tenant's time. */
  readonly nextDueAt: (tenant: Tenant, after: Date) => Promise<Date | null>;
  /** Derives the real due times anew, after the clock has moved. */
  readonly recompute: (tenant: Tenant) => Promise<void>;
  /** Does what is due now, before the clock goes on. */
  readonly runDue: (tenant: Tenant) => Promise<void>;
};

export type AdvancedClock = {
  readonly now: Date;
  readonly offsetMs: number;
  /** Not nothing only after very many due steps: the rest can be asked for again. */
  readonly remainingMs: number;
};

/**
 * Moves a sandbox merchant's time on, from one due step to the next in order, so that fourteen
 * deliveries an hour apart happen fourteen times (decision 39).
 */
export const advanceClock = async (
  tools: Uses<'database'>,
  sources: readonly DueSource[],
  tenant: Tenant,
  advanceMs: number,
): Promise<AdvancedClock> => {
  const runDue = async () => {
    for (const source of sources) await source.runDue(tenant);
  };
  const move = async (toOffsetMs: bigint, instant: Date | null): Promise<ClockRow> => {
    const values = { ...tenant, toOffsetMs, instant };
    const clock = clockOf(await tools.database.tenant(tenant.merchantId, moveClock, values));
    await Promise.all(sources.map((source) => source.recompute(tenant)));
    await runDue();
    return clock;
  };
  const started = clockOf(await tools.database.tenant(tenant.merchantId, readClock, tenant));
  if (advanceMs > 0) await runDue();
  const toOffsetMs = started.offset_ms + BigInt(advanceMs);
  let clock = started;
  for (let step = 0; step < limits.clockStepsMax && clock.offset_ms < toOffsetMs; step += 1) {
    const next = await nextDue(sources, tenant, clock.now);
    clock = await move(toOffsetMs, next);
  }
  return {
    now: clock.now,
    offsetMs: Number(clock.offset_ms),
    remainingMs: Number(toOffsetMs - clock.offset_ms),
  };
};

const clockOf = ([row]: readonly ClockRow[]): ClockRow => {
  if (!row) throw new Error('the clock of a known tenant is gone');
  return row;
};

const nextDue = async (
  sources: readonly DueSource[],
  tenant: Tenant,
  after: Date,
): Promise<Date | null> => {
  const due = await Promise.all(sources.map((source) => source.nextDueAt(tenant, after)));
  return due.reduce(
    (first, each) => (first && each && each > first ? first : (each ?? first)),
    null,
  );
};

/** One advance at a time per tenant: two at once would run past each other's due steps. */
export const inTurn = () => {
  const last = new Map<string, Promise<unknown>>();
  return async <Value>(tenant: Tenant, run: () => Promise<Value>): Promise<Value> => {
    const key = `${tenant.merchantId}/${tenant.environment}`;
    const turn = (last.get(key) ?? Promise.resolve()).then(run, run);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
};

import { advanceSandboxClock, failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { badField } from '#platform/http/error-reply.ts';
import { type DecideOnce, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import type { PaymentForecast, SimulatorRail, SimulatorReference } from '#rails/simulator-rail.ts';
import { type ClockRow, moveClock, readClock } from './store.ts';

/** One advance at a time per tenant: two at once would run past each other's due steps. */
const inTurn = () => {
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

/** Something with due times of a tenant: expiry, polls, deliveries, captures, payouts. */
export type DueSource = {
  /** The earliest open due time after this instant, in the tenant's time. */
  readonly nextDueAt: (tenant: Tenant, after: Date) => Promise<Date | null>;
  /** Derives the real due times again, after the clock has moved. */
  readonly recompute: (tenant: Tenant) => Promise<void>;
  /** Does what is due now, before the clock moves on. */
  readonly runDue: (tenant: Tenant) => Promise<void>;
  /**
   * What the simulator holds for the tenant and is not final: it ages with the tenant. A source
   * names what its rails left there (consents of banks, payments and sessions of cards, transfers).
   */
  readonly simulatorReferences?: (tenant: Tenant) => Promise<readonly SimulatorReference[]>;
  /** Skips, up to an instant, the polls that learn nothing by the forecast of the simulator. */
  readonly skipPolls?: (
    tenant: Tenant,
    forecast: readonly PaymentForecast[],
    until: Date,
  ) => Promise<void>;
};

type ClockTools = Uses<'database' | 'log'> & {
  /** Absent: there is no simulator with a clock of its own. */
  readonly simulatorRail?: SimulatorRail;
  readonly maxSteps?: number;
};

export type AdvancedClock = {
  readonly now: Date;
  readonly offsetMs: number;
  /** Above zero only after very many due steps: the rest can be requested again. */
  readonly remainingMs: number;
};

/**
 * Moves a sandbox merchant's time forward, from one due step to the next in order, so that fourteen
 * deliveries an hour apart happen fourteen times. The simulator takes each step first, so that a
 * poll at the new time gets the state of that time (TIME-1).
 */
export const advanceClock = async (
  tools: ClockTools,
  sources: readonly DueSource[],
  tenant: Tenant,
  advanceMs: number,
  /** A repeat goes on to the time that was decided first. */
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<AdvancedClock> => {
  const runDue = async () => {
    for (const source of sources) await source.runDue(tenant);
  };
  const move = async (
    references: readonly SimulatorReference[],
    from: ClockRow,
    toOffsetMs: bigint,
  ): Promise<ClockRow> => {
    await ageSimulator(tools, references, Number(toOffsetMs - from.offset_ms));
    const values = { ...tenant, toOffsetMs };
    const clock = clockOf(await tools.database.tenant(tenant.merchantId, moveClock, values));
    await Promise.all(sources.map((source) => source.recompute(tenant)));
    await runDue();
    return clock;
  };
  const read = async () =>
    clockOf(await tools.database.tenant(tenant.merchantId, readClock, tenant));
  const started = await read();
  const toOffsetMs = BigInt(
    await decideOnce(async () => String(farthestOffset(started, advanceMs))),
  );
  if (advanceMs > 0) await runDue();
  let clock = started;
  const { maxSteps = limits.clockStepsMax } = tools;
  for (let step = 0; step < maxSteps && clock.offset_ms < toOffsetMs; step += 1) {
    const references = tools.simulatorRail ? await referencesOf(sources, tenant) : [];
    await skipPolls(tools, sources, tenant, references, endOf(await read(), toOffsetMs));
    // After the last step, not after now: what fell due while that ran has its turn first.
    const next = await nextDue(sources, tenant, clock.now);
    const from = await read();
    clock = await move(references, from, stepTo(from, next, toOffsetMs));
  }
  return {
    now: clock.now,
    offsetMs: Number(clock.offset_ms),
    remainingMs: Math.max(0, Number(toOffsetMs - clock.offset_ms)),
  };
};

const farthestOffset = ({ offset_ms: offsetMs }: ClockRow, advanceMs: number): bigint => {
  const leftMs = limits.clockAheadMsMax - Number(offsetMs);
  if (advanceMs <= Math.max(0, leftMs)) return offsetMs + BigInt(advanceMs);
  const message = `The clock is at most a thousand years ahead: at most ${Math.max(0, leftMs)} ms further`;
  throw badField('advanceMs', message, `${message}.`);
};

/** On to the next due step, if there is one before the end. */
const stepTo = (clock: ClockRow, next: Date | null, toOffsetMs: bigint): bigint => {
  if (!next) return toOffsetMs;
  const stepOffsetMs = clock.offset_ms + BigInt(next.getTime() - clock.now.getTime());
  return stepOffsetMs < toOffsetMs ? stepOffsetMs : toOffsetMs;
};

const endOf = (clock: ClockRow, toOffsetMs: bigint): Date =>
  new Date(clock.now.getTime() + Number(toOffsetMs - clock.offset_ms));

const skipPolls = async (
  tools: ClockTools,
  sources: readonly DueSource[],
  tenant: Tenant,
  references: readonly SimulatorReference[],
  until: Date,
): Promise<void> => {
  const { simulatorRail } = tools;
  if (!simulatorRail) return;
  const forecast = await callingSimulator(tools, () => simulatorRail.forecast(references));
  for (const source of sources) await source.skipPolls?.(tenant, forecast, until);
};

const ageSimulator = async (
  tools: ClockTools,
  references: readonly SimulatorReference[],
  milliseconds: number,
): Promise<void> => {
  const { simulatorRail } = tools;
  if (!simulatorRail || milliseconds <= 0) return;
  await callingSimulator(tools, () => simulatorRail.advance(references, milliseconds));
};

const referencesOf = async (
  sources: readonly DueSource[],
  tenant: Tenant,
): Promise<readonly SimulatorReference[]> => {
  const found = sources.map((source) => source.simulatorReferences?.(tenant) ?? []);
  const references = (await Promise.all(found)).flat();
  // A payment by card may be named for itself and for its refunds: its clock moves once.
  return [...new Map(references.map((each) => [`${each.kind} ${each.id}`, each])).values()];
};

const callingSimulator = async <Answer>(
  { log }: ClockTools,
  call: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await call();
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'the simulator did not move its clock');
    throw new Failure(failures.unavailable, {
      message:
        'The simulated banks cannot be reached, so the clock stopped. ' +
        'Advance by 0 to read it, then go on.',
      retryAfterSeconds: 2,
    });
  }
};

const clockOf = ([row]: readonly ClockRow[]): ClockRow => {
  if (!row) throw new Error('the clock of the tenant was not found');
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

export const clockRoutes = (
  tools: ClockTools & { readonly dueSources: readonly DueSource[] },
): readonly Route[] => {
  const oneAtATime = inTurn();
  return [
    route(advanceSandboxClock, async ({ body, decideOnce }, { tenant }) => {
      const { now, offsetMs, remainingMs } = await oneAtATime(tenant, () =>
        advanceClock(tools, tools.dueSources, tenant, body.advanceMs, decideOnce),
      );
      return { now: now.toISOString(), offsetMs, remainingMs };
    }),
  ];
};

import type { Tenant } from '#kernel/environment.ts';
import type { Database } from '#platform/database/open-database.ts';
import type { PaymentForecast } from '#rails/simulator-rail.ts';
import { type PlannedPoll, plannedPolls } from './store.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The interval of polls up to an age: short while the payer waits, hourly for a payment a bank
 * holds.
 */
const plan = [
  { untilAgeMs: 15 * second, everyMs: 700 },
  { untilAgeMs: 3 * minute, everyMs: 3 * second },
  { untilAgeMs: 15 * minute, everyMs: 15 * second },
  { untilAgeMs: 2 * hour, everyMs: 2 * minute },
  { untilAgeMs: day, everyMs: 15 * minute },
] as const;

/** Settled money changes rarely; a few polls still find a reversal. */
const pollAgesAfterSettlement = [
  minute,
  10 * minute,
  hour,
  day,
  3 * day,
  6 * day,
  9 * day,
] as const;

/** An order with an unknown outcome may be sent again, without haste. */
const pauseOfUnknownMs = second;

/** When to poll the bank next, or null when polling has ended. */
export const nextPollAt = (submittedAt: Date, now: Date, isSettled = false): Date | null => {
  const ageMs = now.getTime() - submittedAt.getTime();
  if (isSettled) {
    const pollAgeMs = pollAgesAfterSettlement.find((ageToPollMs) => ageToPollMs > ageMs);
    return pollAgeMs === undefined ? null : new Date(submittedAt.getTime() + pollAgeMs);
  }
  if (ageMs >= hourlyPollsEndAfterMs) return new Date(now.getTime() + day);
  const phase = plan.find(({ untilAgeMs }) => ageMs < untilAgeMs);
  return new Date(now.getTime() + (phase?.everyMs ?? hour));
};

export const nextResolveAt = (submittedAt: Date, now: Date): Date | null => {
  const next = nextPollAt(submittedAt, now);
  return next && new Date(Math.max(next.getTime(), now.getTime() + pauseOfUnknownMs));
};

/** A bank may hold a payment to the end of the fourth business day; after more than six, poll daily. */
export const hourlyPollsEndAfterMs = 10 * day;

export const operatorAlertAfterMs = day;

/** The forecast may be outdated: one needless poll is better than a change seen a day late. */
const earlyMs = 1_000;

/**
 * Moves forward, up to an instant, the polls of a simulated bank that would learn nothing: while a
 * sandbox clock advances by days, a held payment would be polled hundreds of times. The first poll
 * that learns something new keeps its time; so do the one after which the operator is alerted, and
 * the final one.
 */
export const skipPolls = async (
  database: Database,
  tenant: Tenant,
  forecast: readonly PaymentForecast[],
  until: Date,
): Promise<void> => {
  const shown = new Map(forecast.map((each) => [each.id, each]));
  if (shown.size === 0) return;
  const planned = plannedPolls(database, tenant);
  const polls = await planned.read();
  const moved = polls.flatMap((poll) => {
    const next = shown.get(poll.rail_reference);
    if (next?.status !== poll.iso_status_code) return [];
    const changeMs = msOf(poll.now) + (next.changesInMs ?? Infinity);
    const { at, passed } = pollUpTo(poll, changeMs, msOf(until));
    return msOf(at) === msOf(poll.at)
      ? []
      : [{ attemptId: poll.attempt_id, from: poll.at, at, passed }];
  });
  if (moved.length > 0) await planned.move(moved);
};

/**
 * The account shows at once that money which had arrived is taken back; between two polls of the plan
 * may be days. So such a payment is polled right after it changes.
 */
export const pollUpTo = (
  poll: Requested & Pick<PlannedPoll, 'is_collected'>,
  changeMs: number,
  untilMs: number,
): { readonly at: Date; readonly passed: number } => {
  const planned = pollAfter(poll, Math.min(changeMs - earlyMs, untilMs));
  const shownMs = changeMs + earlyMs;
  const isShown = poll.is_settled && poll.is_collected && shownMs <= untilMs;
  return isShown ? { ...planned, at: new Date(shownMs) } : planned;
};

const msOf = (instant: Date): number => instant.getTime();

type Requested = Pick<PlannedPoll, 'at' | 'submitted_at' | 'is_settled' | 'is_alerted' | 'status'>;

/** The first poll of the plan from this instant on, and the number of polls before it. */
export const pollAfter = (
  { at: first, submitted_at, is_settled, is_alerted, status }: Requested,
  instantMs: number,
): { readonly at: Date; readonly passed: number } => {
  const alertsFromMs =
    status === 'PENDING' && !is_alerted ? msOf(submitted_at) + operatorAlertAfterMs : Infinity;
  let at = first;
  let passed = 0;
  for (;;) {
    const next = nextPollAt(submitted_at, at, is_settled);
    if (msOf(at) >= Math.min(instantMs, alertsFromMs) || next === null) return { at, passed };
    at = next;
    passed += 1;
  }
};

import type { Tenant } from '#kernel/environment.ts';
import type { Database } from '#platform/database/open-database.ts';
import type { PaymentForecast } from '#rails/simulator-rail.ts';
import { nextPollAt, operatorAlertAfterMs } from './next-poll.ts';
import { type PlannedPoll, plannedPolls } from './store.ts';

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

import type { Tenant } from '#kernel/environment.ts';
import type { Database } from '#platform/database/open-database.ts';
import type { PaymentForecast } from '#rails/simulator-rail.ts';
import { meaningOf } from './bank-status.ts';
import { nextPollAt, operatorAlertAfterMs } from './poll-plan.ts';
import { type PlannedQuestion, plannedQuestions } from './store/planned-questions.ts';

/** What the world said is as old as its answer: a question in vain is better than news a day late. */
const earlyMs = 1_000;

/**
 * Moves on, up to an instant, the questions to a simulated bank that would hear what is known: while a
 * sandbox clock goes on by days, a payment that is held there would be asked about hundreds of times.
 * The first question that hears something new comes when it would have come; so do the one after which
 * the operator is told, and the last.
 */
export const passOverQuestions = async (
  database: Database,
  tenant: Tenant,
  outlook: readonly PaymentForecast[],
  until: Date,
): Promise<void> => {
  const told = new Map(outlook.map((each) => [each.id, each]));
  if (told.size === 0) return;
  const planned = plannedQuestions(database, tenant);
  const questions = await planned.read();
  const moved = questions.flatMap((question) => {
    const next = told.get(question.rail_reference);
    if (next?.status !== question.iso_status_code) return [];
    const newsMs = msOf(question.now) + (next.changesInMs ?? Infinity) - earlyMs;
    const { at, passed } = questionAfter(question, Math.min(newsMs, msOf(until)));
    return passed > 0 ? [{ attemptId: question.attempt_id, from: question.at, at, passed }] : [];
  });
  if (moved.length > 0) await planned.move(moved);
};

const msOf = (instant: Date): number => instant.getTime();

type Asked = Pick<
  PlannedQuestion,
  'at' | 'submitted_at' | 'iso_status_code' | 'is_told_of' | 'status'
>;

/** The first question of the plan from this instant on, and how many come before it. */
export const questionAfter = (
  { at: first, submitted_at, iso_status_code, is_told_of, status }: Asked,
  instantMs: number,
): { readonly at: Date; readonly passed: number } => {
  const isSettled = meaningOf({ isoCode: iso_status_code }) === 'SETTLED';
  const tellsFromMs =
    status === 'PENDING' && !is_told_of ? msOf(submitted_at) + operatorAlertAfterMs : Infinity;
  let at = first;
  let passed = 0;
  for (;;) {
    const next = nextPollAt(submitted_at, at, isSettled);
    if (msOf(at) >= Math.min(instantMs, tellsFromMs) || next === null) return { at, passed };
    at = next;
    passed += 1;
  }
};

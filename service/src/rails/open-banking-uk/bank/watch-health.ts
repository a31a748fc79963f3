import type { Clock } from '#platform/clock.ts';
import { metrics } from '#platform/metrics.ts';
import type { BankHealth } from '#rails/bank-rail.ts';

/** How the calls to one interface of a bank go, and whether payers should be sent there. */
export type HealthWatch = {
  readonly record: (isAnswered: boolean, durationMs: number) => void;
  readonly report: () => HealthReport;
};

export type HealthReport = Omit<BankHealth, 'institutionId' | 'name' | 'isEnabled'>;

type Call = { readonly atMs: number; readonly isAnswered: boolean; readonly durationMs: number };

const windowMs = 120_000;
const maxStoredCalls = 200;
// Fewer could be one payer's bad luck; a payer waits up to 15 s for each.
const failuresUntilUnavailable = 5;
// Many payers see one failure at the same moment.
const sameFailureMs = 1_000;
const retryAfterMs = 30_000;
const slowMs = 4_000;
const minCallsToBeSlow = 3;

/**
 * A circuit breaker: after five failures in a row the bank is UNAVAILABLE for 30 seconds, then one
 * more failure makes it so again and one answer ends it. Payments under way are polled all the time.
 */
export const watchHealth = (
  clock: Clock,
  labels: { readonly bank: string; readonly api: 'payments' | 'accounts' },
): HealthWatch => {
  let calls: readonly Call[] = [];
  let failures: Failures = { inARow: 0, lastAtMs: null };
  return {
    record: (isAnswered, durationMs) => {
      const call = { atMs: clock.now().getTime(), isAnswered, durationMs };
      const before = failures;
      calls = [...calls.slice(1 - maxStoredCalls), call];
      failures = failuresAfter(before, call);
      const outcome = isAnswered ? 'answered' : 'failed';
      metrics.add('florin_bank_calls_total', 1, { ...labels, outcome });
      metrics.add('florin_bank_call_milliseconds_total', durationMs, labels);
      if (before.inARow < failuresUntilUnavailable && isTooMany(failures))
        metrics.add('florin_bank_unavailable_total', 1, labels);
    },
    report: () => reportOf(calls, failures, clock.now().getTime()),
  };
};

type Failures = { readonly inARow: number; readonly lastAtMs: number | null };

const failuresAfter = ({ inARow, lastAtMs }: Failures, { atMs, isAnswered }: Call): Failures => {
  if (isAnswered) return { inARow: 0, lastAtMs };
  const isSame = inARow > 0 && lastAtMs !== null && atMs - lastAtMs < sameFailureMs;
  return { inARow: isSame ? inARow : inARow + 1, lastAtMs: atMs };
};

const isTooMany = ({ inARow }: Failures): boolean => inARow >= failuresUntilUnavailable;

const reportOf = (calls: readonly Call[], failures: Failures, nowMs: number): HealthReport => {
  const recent = calls.filter(({ atMs }) => atMs > nowMs - windowMs);
  const answered = recent.filter(({ isAnswered }) => isAnswered);
  const retryAt = retryAtOf(failures);
  return {
    ...stateAfter(retryAt !== null && nowMs < retryAt.getTime() ? retryAt : null, answered),
    calls: recent.length,
    failedCalls: recent.length - answered.length,
    lastFailureAt: failures.lastAtMs === null ? null : new Date(failures.lastAtMs),
  };
};

const retryAtOf = (failures: Failures): Date | null =>
  failures.lastAtMs !== null && isTooMany(failures)
    ? new Date(failures.lastAtMs + retryAfterMs)
    : null;

const stateAfter = (
  retryAt: Date | null,
  answered: readonly Call[],
): Pick<HealthReport, 'state' | 'retryAt' | 'averageMs'> => {
  const totalMs = answered.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const averageMs = answered.length === 0 ? null : Math.round(totalMs / answered.length);
  if (retryAt) return { state: 'UNAVAILABLE', retryAt, averageMs };
  const isSlow = answered.length >= minCallsToBeSlow && totalMs / answered.length > slowMs;
  return { state: isSlow ? 'SLOW' : 'WORKING', retryAt: null, averageMs };
};

/** A fault of the bank itself: a refusal is an answer. */
export const isBankFault = (status: number | null): boolean => status === null || status >= 500;

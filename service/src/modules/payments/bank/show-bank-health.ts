import type { listBankHealth, ReplyOf } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import type { BankRails } from '../core/bank-rails.ts';

/** The banks of one environment, those that are down first (OPERATE-7). */
export const showBankHealth = (
  bankRails: BankRails,
  environment: Environment,
): ReplyOf<typeof listBankHealth> =>
  bankRails
    .need(environment)
    .health()
    .map(({ isEnabled, lastFailureAt, retryAt, ...health }) => ({
      ...health,
      enabled: isEnabled,
      successPercent: percentOf(health.calls - health.failedCalls, health.calls),
      lastFailureAt: lastFailureAt?.toISOString() ?? null,
      retryAt: retryAt?.toISOString() ?? null,
    }))
    .sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));

const order = ['UNAVAILABLE', 'SLOW', 'WORKING'];

const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((1000 * part) / whole) / 10;

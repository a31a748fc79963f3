import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '../../tools.ts';
import type { RouteGuards } from '../serve-route.ts';
import { addressKey } from './address-key.ts';
import { type LimitScope, limitScope } from './limit-scope.ts';
import { openBuckets } from './open-buckets.ts';
import { openSecretLimit } from './open-secret-limit.ts';
import { freeSlots, type StreamSlots, streamSlots } from './stream-slots.ts';

export type RateLimit = {
  readonly limitRate: RouteGuards['limitRate'];
  readonly limitScope: LimitScope;
  readonly streamSlots: StreamSlots;
};

/** WIRE-17: per production secret, and without a secret per address and route. */
export const openRateLimit = (tools: Uses<'clock' | 'database'>, isOn: boolean): RateLimit =>
  isOn
    ? {
        limitRate: limitOperations(tools),
        limitScope: limitScope(tools.clock),
        streamSlots: streamSlots(),
      }
    : {
        limitRate: async () => undefined,
        limitScope: () => undefined,
        streamSlots: freeSlots,
      };

const limitOperations = (tools: Uses<'clock' | 'database'>): RouteGuards['limitRate'] => {
  const ofSecret = openSecretLimit(tools, limits.requestsPerSecondPerSecret);
  const ofAddress = openBuckets(tools.clock, limits.unauthenticatedStatusPerSecond);
  return async (caller, address, operationId) => {
    if (caller?.tenant.environment === 'SANDBOX') return;
    const retryAfterSeconds = caller
      ? await ofSecret(caller)
      : ofAddress(`${addressKey(address)} ${operationId}`);
    if (retryAfterSeconds !== null) throw new Failure(failures.rateLimited, { retryAfterSeconds });
  };
};

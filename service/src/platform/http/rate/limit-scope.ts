import { failures, limits } from '@florin/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import type { Clock } from '../../clock.ts';
import { addressKey } from './address-key.ts';
import { openBuckets } from './open-buckets.ts';

/** Limits the routes of a scope that are no operations of the contract, per address and route. */
export type LimitScope = (scope: FastifyInstance, preset: RateClass) => void;

const rates = {
  PAGE: limits.pageRequestsPerSecond,
  ASSET: limits.assetRequestsPerSecond,
  IMAGE: limits.imageRequestsPerSecond,
  RAIL: limits.railRequestsPerSecond,
} as const;

export const limitScope =
  (clock: Pick<Clock, 'now'>): LimitScope =>
  (scope, preset) => {
    const buckets = Object.fromEntries(
      Object.entries(rates).map(([name, perSecond]) => [name, openBuckets(clock, perSecond)]),
    );
    scope.addHook('onRequest', async ({ ip, routeOptions, is404 }) => {
      if (is404) return;
      const { rateClass: own } = routeOptions.config as { readonly rateClass?: RateClass };
      const key = `${addressKey(ip)} ${routeOptions.method} ${routeOptions.url}`;
      const retryAfterSeconds = buckets[own ?? preset]?.(key) ?? null;
      if (retryAfterSeconds !== null)
        throw new Failure(failures.rateLimited, { retryAfterSeconds });
    });
  };

/** What a route is to a rate limit; in its `config` where it is not what its scope is. */
export type RateClass = keyof typeof rates;
export const rateClass = (of: RateClass) => ({ config: { rateClass: of } });

import { failures, limits } from '@florin/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import type { Clock } from '../../clock.ts';
import type { Uses } from '../../tools.ts';
import type { Caller } from '../route.ts';
import type { RouteGuards } from '../serve-route.ts';
import { addressKey, openBuckets } from './open-buckets.ts';
import { leaseRequests } from './store.ts';
import { freeSlots, type StreamSlots, streamSlots } from './stream-slots.ts';

/** Limits the routes of a scope that are no operations of the contract, per address and route. */
type LimitScope = (scope: FastifyInstance, preset: RateClass) => void;

const rates = {
  PAGE: limits.pageRequestsPerSecond,
  ASSET: limits.assetRequestsPerSecond,
  IMAGE: limits.imageRequestsPerSecond,
  FILE: limits.fileRequestsPerSecond,
  RAIL: limits.railRequestsPerSecond,
} as const;

const limitScope =
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
type RateClass = keyof typeof rates;
export const rateClass = (of: RateClass) => ({ config: { rateClass: of } });

type Window = { second: number; left: number; isSpent: boolean; leasing: Promise<void> | null };

const windowsMax = 10_000;
const leasedAtOnce = 10;

/**
 * Requests of a secret in each second, counted for all programs together in the database: each leases some
 * of them at once, so that ten requests cost one small statement.
 */
const openSecretLimit = (tools: Uses<'clock' | 'database'>, perSecond: number) => {
  const windows = new Map<string, Window>();

  const currentWindow = (secretId: string): Window => {
    const second = Math.floor(tools.clock.now().getTime() / 1000);
    const known = windows.get(secretId);
    if (known?.second === second) return known;
    const window = { second, left: 0, isSpent: false, leasing: null };
    setBounded(windows, secretId, window, windowsMax);
    return window;
  };

  const lease = async ({ tenant, secretId }: Caller, window: Window): Promise<void> => {
    const { second: windowSecond } = window;
    const values = { ...tenant, secretId, windowSecond, requests: leasedAtOnce };
    const [row] = await tools.database.tenant(tenant.merchantId, leaseRequests, values);
    const before = Number(row?.used ?? perSecond) - leasedAtOnce;
    window.left += Math.min(leasedAtOnce, Math.max(0, perSecond - before));
    window.isSpent = before + leasedAtOnce >= perSecond;
  };

  /** Null: go on; else seconds to wait. */
  return async (caller: Caller): Promise<number | null> => {
    for (;;) {
      const window = currentWindow(caller.secretId);
      if (window.left > 0) {
        window.left -= 1;
        return null;
      }
      if (window.isSpent) return 1;
      window.leasing ??= lease(caller, window).finally(() => {
        window.leasing = null;
      });
      await window.leasing;
    }
  };
};

type RateLimit = {
  readonly limitRate: RouteGuards['limitRate'];
  readonly limitRefused: RouteGuards['limitRefused'];
  readonly limitScope: LimitScope;
  readonly streamSlots: StreamSlots;
};

/** WIRE-17: per production secret, and without a secret per address and route. */
export const openRateLimit = (tools: Uses<'clock' | 'database'>, isOn: boolean): RateLimit =>
  isOn
    ? {
        limitRate: limitOperations(tools),
        limitRefused: limitRefused(tools.clock),
        limitScope: limitScope(tools.clock),
        streamSlots: streamSlots(),
      }
    : {
        limitRate: async () => undefined,
        limitRefused: () => undefined,
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

const limitRefused = (clock: Pick<Clock, 'now'>): RouteGuards['limitRefused'] => {
  const ofAddress = openBuckets(clock, limits.refusedSecretsPerSecond);
  return (address) => {
    const retryAfterSeconds = ofAddress(addressKey(address));
    if (retryAfterSeconds !== null) throw new Failure(failures.rateLimited, { retryAfterSeconds });
  };
};

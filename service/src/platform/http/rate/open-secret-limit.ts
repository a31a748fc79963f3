import { setBounded } from '#kernel/set-bounded.ts';
import type { Uses } from '../../tools.ts';
import type { Caller } from '../route.ts';
import { leaseRequests } from './store.ts';

type Window = { second: number; left: number; isSpent: boolean; leasing: Promise<void> | null };

const windowsMax = 10_000;
const leasedAtOnce = 10;

/**
 * Requests of a secret in each second, counted for all programs together in the database: each leases some
 * of them at once, so that ten requests cost one small statement.
 */
export const openSecretLimit = (tools: Uses<'clock' | 'database'>, perSecond: number) => {
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

import type { Tenant } from '#kernel/environment.ts';
import type { Clock } from '#platform/clock.ts';
import type { Uses } from '#platform/tools.ts';
import { readVersions } from './store.ts';

const lookEveryMs = 700;

type Watcher = { readonly tenant: Tenant; readonly send: (version: string) => void };

/**
 * Tells open pages that their payment changed. One look for all pages of this process, and none while
 * no page is open.
 */
export const watchPayments = (tools: Uses<'database' | 'log'> & { readonly clock: Clock }) => {
  const watchers = new Map<string, Set<Watcher>>();
  let isLooking = false;

  const sendChanges = async (): Promise<void> => {
    for (const row of await readVersions(tools.database, [...watchers.keys()]))
      for (const watcher of watchers.get(row.payment_request_id) ?? []) watcher.send(row.version);
  };

  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    while (watchers.size > 0) {
      await sendChanges().catch((error: Error) =>
        tools.log.warn({ error: error.message }, 'open pages get no changes for a moment'),
      );
      await tools.clock.sleep(lookEveryMs);
    }
    isLooking = false;
  };

  return (tenant: Tenant, paymentRequestId: string, send: (version: string) => void) => {
    const watcher = { tenant, send };
    const known = watchers.get(paymentRequestId) ?? new Set<Watcher>();
    watchers.set(paymentRequestId, known.add(watcher));
    void look();
    return (): void => {
      known.delete(watcher);
      if (known.size === 0) watchers.delete(paymentRequestId);
    };
  };
};

export type WatchPayments = ReturnType<typeof watchPayments>;

import type { Tenant } from '#kernel/environment.ts';

/** One advance at a time per tenant: two at once would run past each other's due steps. */
export const inTurn = () => {
  const last = new Map<string, Promise<unknown>>();
  return async <Value>(tenant: Tenant, run: () => Promise<Value>): Promise<Value> => {
    const key = `${tenant.merchantId}/${tenant.environment}`;
    const turn = (last.get(key) ?? Promise.resolve()).then(run, run);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
};

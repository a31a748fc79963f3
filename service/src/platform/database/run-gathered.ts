import { DatabaseUnavailable } from './database-unavailable.ts';
import { gatherCalls } from './gather-calls.ts';
import type { TenantQuery } from './statement.ts';
import type { GatheredQuery, Scope, StatementForMany } from './statement-for-many.ts';

// Of one statement for one tenant. With more on their way each would do less, and one tenant whose rows
// are locked would keep the connections from the others.
const mostRunning = 2;
const mostTogether = 32;

type Asked = StatementForMany<unknown, unknown, unknown>;
type Call = (item: unknown) => Promise<unknown>;

/** Remembers who asks what at this moment; of a tenant for whom nothing is on its way it keeps nothing. */
export const runGathered = (query: TenantQuery): GatheredQuery => {
  const open = new Map<string, { readonly call: Call; callers: number }>();
  const ask = async (tenant: Scope, asked: Asked, item: unknown): Promise<unknown> => {
    const place = `${asked.asked.name} ${tenant.merchantId} ${tenant.environment}`;
    const found = open.get(place) ?? { call: gather(query, tenant, asked), callers: 0 };
    open.set(place, found);
    found.callers += 1;
    try {
      return await found.call(item);
    } finally {
      found.callers -= 1;
      if (found.callers === 0) open.delete(place);
    }
  };
  return ask as GatheredQuery;
};

const gather = (
  query: TenantQuery,
  { merchantId, environment }: Scope,
  { asked, valuesOf, keysOf }: Asked,
): Call =>
  gatherCalls<unknown, unknown>({
    run: async (items) => {
      const values = { ...(valuesOf(items) as object), merchantId, environment };
      const rows = await query(merchantId, asked, values);
      const results: unknown[] = items.map(() => undefined);
      for (const row of rows) results[row.item] = row;
      return results;
    },
    keysOf,
    isOutcomeUnknown: (error) => error instanceof DatabaseUnavailable,
    mostRunning,
    mostTogether,
  });

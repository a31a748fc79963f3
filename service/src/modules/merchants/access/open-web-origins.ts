import type { Tenant } from '#kernel/environment.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import type { Uses } from '#platform/tools.ts';
import { findOriginTenants, listWebOrigins } from './store.ts';

export type WebOrigins = {
  /** Some active secret lists it: enough for a preflight, which names no payment. */
  readonly isListed: (origin: string) => Promise<boolean>;
  /** A secret of this tenant lists it. */
  readonly isListedBy: (tenant: Tenant, origin: string) => Promise<boolean>;
};

type Listed = { readonly tenants: ReadonlySet<string>; readonly knownUntilMs: number };

const knownForMs = 5_000;
const knownMax = 1_000;

/** Origins of merchants that may call the operations of the checkout (ACCESS-4). */
export const openWebOrigins = (tools: Uses<'database' | 'clock'>): WebOrigins => {
  const known = new Map<string, Listed>();
  const tenantsOf = async (origin: string): Promise<ReadonlySet<string>> => {
    const nowMs = tools.clock.now().getTime();
    const cached = known.get(origin);
    if (cached && nowMs < cached.knownUntilMs) return cached.tenants;
    const tenants = new Set(await tenantsListing(tools, origin));
    setBounded(known, origin, { tenants, knownUntilMs: nowMs + knownForMs }, knownMax);
    return tenants;
  };
  return {
    isListed: async (origin) => (await tenantsOf(origin)).size > 0,
    isListedBy: async ({ merchantId, environment }, origin) =>
      (await tenantsOf(origin)).has(`${merchantId}/${environment}`),
  };
};

/** `merchant/ENVIRONMENT` of each active secret that lists it. */
export const tenantsListing = async (
  { database }: Uses<'database'>,
  origin: string,
): Promise<readonly string[]> => {
  const rows = await database.system(findOriginTenants, { origins: [origin, anyPortOf(origin)] });
  return rows.map((row) => `${row.merchant_id}/${row.environment}`);
};

const framingMax = 100;

/** Whose pages may show a page of ours in a frame (CARD-19). */
export const webOriginsOf = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<readonly string[]> => {
  const values = { ...tenant, limit: framingMax };
  const rows = await database.tenant(tenant.merchantId, listWebOrigins, values);
  return rows.map(({ origin }) => origin);
};

/** `http://localhost:5173` is also `http://localhost:*`, which a sandbox secret may list. */
const anyPortOf = (origin: string): string => origin.replace(/:\d+$/, ':*');

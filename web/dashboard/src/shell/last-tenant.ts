import { isEnvironment, type Tenant } from '../call/tenant.ts';

const key = 'florin-last-tenant';

/** The merchant and environment that this browser had in view last. */
export const lastTenant = {
  read: (): Tenant | null => {
    const [merchantId, environment] = localStorage.getItem(key)?.split(' ') ?? [];
    return merchantId && isEnvironment(environment) ? { merchantId, environment } : null;
  },
  write: ({ merchantId, environment }: Tenant): void =>
    localStorage.setItem(key, `${merchantId} ${environment}`),
};

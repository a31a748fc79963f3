/** A merchant in one environment: the two first parts of a page's address. */
export type Tenant = { readonly merchantId: string; readonly environment: Environment };

export type Environment = 'sandbox' | 'production';

export const isEnvironment = (text: string | undefined): text is Environment =>
  text === 'sandbox' || text === 'production';

/** Of a page's whole path; null on pages of a person and of the operator. */
export const tenantOfPath = (path: string): Tenant | null => {
  const [, merchantId, environment] = /^\/dashboard\/([^/?#]+)\/([^/?#]+)/.exec(path) ?? [];
  if (!merchantId || !isEnvironment(environment)) return null;
  return { merchantId: decodeURIComponent(merchantId), environment };
};

/** Of a page of this merchant, below `/dashboard`: for links. */
export const addressOfPage = ({ merchantId, environment }: Tenant, path: string): string =>
  `/${encodeURIComponent(merchantId)}/${environment}/${path}`;

const storedUnder = 'florin-last-tenant';

/** The merchant and environment that this browser had in view last. */
export const lastTenant = {
  read: (): Tenant | null => {
    const [merchantId, environment] = localStorage.getItem(storedUnder)?.split(' ') ?? [];
    return merchantId && isEnvironment(environment) ? { merchantId, environment } : null;
  },
  write: ({ merchantId, environment }: Tenant): void =>
    localStorage.setItem(storedUnder, `${merchantId} ${environment}`),
};

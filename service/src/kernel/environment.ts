export const environments = ['SANDBOX', 'PRODUCTION'] as const;
export type Environment = (typeof environments)[number];

/** The owner of data: every statement on merchant data names both. */
export type Tenant = { readonly merchantId: string; readonly environment: Environment };

/** Of a row that names it. */
export const tenantOf = (row: {
  readonly merchant_id: string;
  readonly environment: Environment;
}): Tenant => ({ merchantId: row.merchant_id, environment: row.environment });

/** As addresses and commands say it. */
export const environmentNamed = (word: string | undefined): Environment | null =>
  environments.find((known) => known.toLowerCase() === word) ?? null;

type TenantPath = { readonly merchantId: string; readonly environment: 'sandbox' | 'production' };

/** Of a path that names it. */
export const tenantIn = ({ merchantId, environment }: TenantPath): Tenant => ({
  merchantId,
  environment: environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION',
});

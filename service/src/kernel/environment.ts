export const environments = ['SANDBOX', 'PRODUCTION'] as const;
export type Environment = (typeof environments)[number];

/** The owner of data: every statement on merchant data names both. */
export type Tenant = { readonly merchantId: string; readonly environment: Environment };

/** Of a row that names it. */
export const tenantOf = (row: {
  readonly merchant_id: string;
  readonly environment: Environment;
}): Tenant => ({ merchantId: row.merchant_id, environment: row.environment });

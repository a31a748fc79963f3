export const environments = ['SANDBOX', 'PRODUCTION'] as const;
export type Environment = (typeof environments)[number];

/** The owner of data: every statement on merchant data names both. */
export type Tenant = { readonly merchantId: string; readonly environment: Environment };

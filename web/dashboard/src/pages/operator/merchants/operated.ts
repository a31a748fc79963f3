import type { Environment } from '../../../call/tenant.ts';

/** The merchant in view, in the environment in view. */
export type Operated = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly businessName: string;
};

export const paramsOf = ({ merchantId, environment }: Operated) => ({ merchantId, environment });

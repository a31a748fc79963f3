import type { Tenant } from '#kernel/environment.ts';
import {
  type RefreshTools,
  refreshAuthorisation,
  refreshLeaseMs,
} from './refresh-authorisation.ts';
import { claimRefresh } from './store/refreshes.ts';

/** Reads an authorisation in this process, unless a worker is reading it already. */
export const refreshNow = async (
  tools: RefreshTools,
  tenant: Tenant,
  authorisationId: string,
): Promise<void> => {
  const values = { ...tenant, authorisationId, leaseMs: refreshLeaseMs };
  const [claimed] = await tools.database.tenant(tenant.merchantId, claimRefresh, values);
  if (claimed) await refreshAuthorisation(tools, claimed);
};

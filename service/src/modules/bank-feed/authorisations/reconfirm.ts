import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { type Changed, changeAuthorisation } from './change-authorisation.ts';

/** The customer agrees for another 90 days; after a missed one reading resumes. The bank need not know. */
export const reconfirm = (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<Changed> =>
  changeAuthorisation(tools, tenant, authorisationId, ({ now }) => {
    const reconfirmBy = new Date(now.getTime() + limits.bankReconfirmMs);
    return { trigger: 'reconfirmed', set: { reconfirmBy, dueAt: reconfirmBy } };
  });

import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { Authorisation } from './authorisation.ts';
import { authorisationOf, readAuthorisation } from './store/authorisations.ts';

export const findAuthorisation = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<Authorisation | null> => {
  const values = { ...tenant, authorisationId };
  const [row] = await database.tenant(tenant.merchantId, readAuthorisation, values);
  return row ? authorisationOf(row) : null;
};

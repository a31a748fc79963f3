import type { Uses } from '#platform/tools.ts';
import { updateMembersOfProduction } from './store/members.ts';

/** The operator lets the members of a business that signed itself up into production; answers how many. */
export const admitToProduction = async (
  { database }: Uses<'database'>,
  merchantId: string,
): Promise<number> =>
  (await database.tenant(merchantId, updateMembersOfProduction, { merchantId })).length;

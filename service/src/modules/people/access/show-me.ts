import type { ReplyOf } from '@florin/contract';
import { type getMe, permissionsOf } from '@florin/contract/dashboard/index.ts';
import type { Person } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { steppedUpUntil } from './admit-member.ts';
import { listMembershipsOf } from './store/memberships.ts';

type Me = ReplyOf<typeof getMe>;

export const showMe = async (
  { database, config }: Uses<'database' | 'config'>,
  person: Person,
): Promise<Me> => {
  const { personId, name, email, emailVerified, twoFactorEnabled, isOperator, sessionId } = person;
  const rows = await database.system(listMembershipsOf, { personId });
  return {
    ...{ personId, name, email, emailVerified, twoFactorEnabled, isOperator, sessionId },
    operatorName: config.operatorName,
    steppedUpUntil: steppedUpUntil(person).toISOString(),
    memberships: rows.map((row) => ({
      merchantId: row.merchant_id,
      businessName: row.business_name,
      environments: row.in_production && emailVerified ? ['sandbox', 'production'] : ['sandbox'],
      suspensions: (row.suspensions ?? []).map(({ environment, reason, suspendedAt }) => ({
        environment: environment === 'SANDBOX' ? 'sandbox' : 'production',
        reason,
        suspendedAt: new Date(suspendedAt).toISOString(),
      })),
      role: row.role,
      permissions: [...permissionsOf[row.role]],
    })),
  };
};

import { limits } from '@florin/contract';
import { createMerchant } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import { addMembership } from './add-person.ts';

export type SignUpTools = Uses<'database' | 'ids' | 'secrets'> & {
  /** Anybody may sign up; else people come by invite only. */
  readonly openSignUp: boolean;
};

export type NewBusiness = {
  readonly personId: string;
  readonly businessName: string;
  readonly email: string;
};

/** Of the simulated bank. A payee of production is entered before the operator lets a business into it. */
const sandboxAccount = { sortCode: '180002', accountNumber: '00000190' } as const;

/** A business of one's own: in the sandbox, until the operator lets it into production (PEOPLE-2). */
export const addBusiness = async (
  tools: SignUpTools,
  { personId, businessName, email }: NewBusiness,
): Promise<string> => {
  const account = { ...sandboxAccount, name: businessName.slice(0, limits.bankAccountNameLength) };
  const { merchantId } = await createMerchant(tools, {
    ...{ businessName, ownerEmail: email },
    bankAccounts: { SANDBOX: account, PRODUCTION: account },
  });
  await addMembership(tools, { merchantId, personId, role: 'owner', inProduction: false });
  return merchantId;
};

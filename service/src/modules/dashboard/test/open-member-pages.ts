import { signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import { openTestService } from '../../../../../test/harness/open-test-service.ts';
import type { Route } from '../../../platform/http/route.ts';
import type { Tools } from '../../../platform/tools.ts';
import { bankRails } from '../../payments/core/bank-rails.ts';
import { memberRoutes } from '../routes.ts';
import { memberCalls } from './member-calls.ts';

export type MemberPages = Awaited<ReturnType<typeof openMemberPages>>;

const noBanks = bankRails(
  { SANDBOX: null, PRODUCTION: null },
  { SANDBOX: 'SIMULATOR_URL', PRODUCTION: 'PRODUCTION_BANK_RAIL' },
);

/** The operations of the dashboard beside others, with an owner who is signed in. */
export const openMemberPages = async (others: (tools: Tools) => readonly Route[] = () => []) => {
  const forgotten: string[] = [];
  const forgetSecret = (secretId: string) => void forgotten.push(secretId);
  const service = await openTestService({
    routes: (tools) => [
      ...memberRoutes({ ...tools, forgetSecret, bankRails: noBanks }),
      ...others(tools),
    ],
  });
  const owner = await signIn(service.tools, { merchantId: service.merchant.merchantId });
  return { ...service, owner, call: memberCalls(service, owner.headers), forgotten };
};

import { failures, type getMerchant, type ReplyOf } from '@florin/contract';
import { environments, type Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { poundsNumber } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import { listSuspensions } from '../suspensions/list-suspensions.ts';
import { merchantOf } from './read-merchant.ts';
import { readMerchantRow } from './store/merchants.ts';

/** Settings and switches, as the operator reads them. 404 for an unknown merchant. */
export const showMerchant = async (
  tools: Uses<'database'>,
  merchantId: string,
): Promise<ReplyOf<typeof getMerchant>> => {
  const read = (environment: Tenant['environment']) =>
    tools.database.tenant(merchantId, readMerchantRow, { merchantId, environment });
  const [[sandbox], [production]] = (await Promise.all(environments.map(read))) as [
    Awaited<ReturnType<typeof read>>,
    Awaited<ReturnType<typeof read>>,
  ];
  if (!sandbox || !production) throw unknownMerchant();
  const {
    switches: inSandbox,
    paymentLimitPence,
    isSuspended: _,
    ...merchant
  } = merchantOf(merchantId, sandbox);
  return {
    ...merchant,
    paymentLimit: poundsNumber(paymentLimitPence),
    switches: { SANDBOX: inSandbox, PRODUCTION: merchantOf(merchantId, production).switches },
    suspensions: await listSuspensions(tools, merchantId),
  };
};

/** For operations that name a merchant in their path. */
export const requireMerchant = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<void> => {
  const [row] = await database.tenant(tenant.merchantId, readMerchantRow, tenant);
  if (!row) throw unknownMerchant();
};

export const unknownMerchant = (): Failure =>
  new Failure(failures.notFound, { message: 'No merchant has this id.' });

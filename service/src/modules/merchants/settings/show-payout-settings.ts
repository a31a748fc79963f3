import type { getPayoutSettings, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { payoutSettingsOf } from './set-payout-settings.ts';
import { unknownMerchant } from './show-merchant.ts';
import { readPayoutSettings } from './store/payout-settings.ts';

export const showPayoutSettings = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<ReplyOf<typeof getPayoutSettings>> => {
  const [row] = await database.tenant(tenant.merchantId, readPayoutSettings, tenant);
  if (!row) throw unknownMerchant();
  return payoutSettingsOf(row);
};

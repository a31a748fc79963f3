import type { BodyOf, setSandboxTips } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { penceFromPounds } from '#kernel/pence.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import { upsertTips } from './store/tips.ts';

type Tips = BodyOf<typeof setSandboxTips>;

/** The tips that payers are offered from now on. */
export const setTips = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  tips: Tips,
): Promise<Tips> => {
  await tools.database.tenant(tenant.merchantId, upsertTips, {
    ...tenant,
    tipId: tools.ids.uuid(),
    isEnabled: tips.enabled,
    tipType: tips.tipType,
    options: tips.options.map((option) => storedOption(tips.tipType, option)),
    allowsCustom: tips.allowCustom,
  });
  return tips;
};

const storedOption = (type: Tips['tipType'], option: number): number => {
  const stored = type === 'FIXED' ? Number(penceFromPounds(option) ?? Number.NaN) : option;
  if (Number.isInteger(stored) && (type === 'FIXED' || stored <= 100)) return stored;
  const message =
    type === 'FIXED'
      ? 'options must be pounds with at most two decimals'
      : 'options must be whole percents up to 100';
  throw badField('options', message, `${message}.`);
};

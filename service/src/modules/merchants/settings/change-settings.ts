import {
  type BodyOf,
  type changeMerchant,
  limits,
  type ReplyOf,
  type setSandboxAmountParts,
  type setSandboxTips,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Failure } from '#kernel/failure.ts';
import { type Pence, penceFromPounds } from '#kernel/pence.ts';
import { badField, wrongField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { accountNeeded, noCollectingAccount } from '../stores/stores.ts';
import { merchantSuspended } from '../suspensions/suspensions.ts';
import { checkLogo } from './logo.ts';
import { showMerchant, unknownMerchant } from './merchant.ts';
import {
  noSwitchChanges,
  readPlaceholder,
  type Switches,
  updateMerchant,
  updateSwitches,
} from './store/merchants.ts';
import {
  readTipRow,
  updateExpiry,
  updateRefundApproval,
  upsertAmountParts,
  upsertTips,
} from './store/settings.ts';

/** What is left out stays as it is; null takes what it stands for away. */
export type MerchantSettings = BodyOf<typeof changeMerchant>;

export const setMerchant = async (
  tools: Uses<'database'>,
  merchantId: string,
  settings: MerchantSettings,
): Promise<ReplyOf<typeof changeMerchant>> => {
  const { paymentLimit } = settings;
  const [row] = await tools.database.system(updateMerchant, {
    merchantId,
    businessName: settings.businessName ?? null,
    ownerEmail: emptied(settings.ownerEmail),
    categoryCode: settings.categoryCode ?? null,
    paymentLimitPence: paymentLimit === undefined ? null : paymentLimitPence(paymentLimit),
    completedAtSettlement: settings.completedAtSettlement ?? null,
    avatarUrl: emptied(settings.avatarUrl),
    accentColour: emptied(settings.accentColour?.toLowerCase() ?? settings.accentColour),
    supportEmail: emptied(settings.supportEmail),
    supportPhone: emptied(settings.supportPhone),
    supportUrl: emptied(settings.supportUrl),
    ...checkLogo(settings.logo),
  });
  if (!row) throw unknownMerchant();
  return showMerchant(tools, merchantId);
};

/** In the statement null leaves a value as it is and the empty text takes it away. */
const emptied = (value: string | null | undefined): string | null =>
  value === null ? '' : (value ?? null);

export const paymentLimitPence = (pounds: number): Pence => {
  const limitPence = penceFromPounds(pounds);
  if (limitPence !== null && limitPence >= limits.paymentAmountPenceMin) return limitPence;
  const says = 'must be pounds with at most two decimals, and enough for a payment';
  throw wrongField('paymentLimit', says);
};

export const setSwitches = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  changes: Partial<Switches>,
): Promise<Switches> => {
  const values = { ...noSwitchChanges, ...changes, ...tenant };
  try {
    const [row] = await tools.database.tenant(tenant.merchantId, updateSwitches, values);
    if (!row) throw await whyNoPayouts(tools, tenant);
    return row.switches;
  } catch (error) {
    // The table's own rule, so that two changes at once cannot pass it either.
    if ((error as { code?: string }).code !== '23514') throw error;
    const message =
      'Refunds need payouts of the same day: switch payouts on and settle DAILY, or refunds off.';
    throw badField('refundsEnabled', 'refundsEnabled needs payoutsEnabled', message);
  }
};

const whyNoPayouts = async (tools: Uses<'database'>, tenant: Tenant): Promise<Failure> => {
  const [placeholder] = await tools.database.tenant(tenant.merchantId, readPlaceholder, tenant);
  if (!placeholder?.is_there) return noCollectingAccount(tenant.environment);
  const message = 'payoutsEnabled needs a bank account of each store';
  return badField('payoutsEnabled', message, accountNeeded);
};

type AmountParts = BodyOf<typeof setSandboxAmountParts>;

const maxTwoDecimals = /^\d+(\.\d{1,2})?$/;

/** Parts of amounts requested from now on; earlier requests keep theirs. */
export const setAmountParts = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { taxPercentage, servicePercentage }: AmountParts,
): Promise<AmountParts> => {
  const parts = { taxPercentage, servicePercentage };
  for (const [field, percentage] of Object.entries(parts))
    if (!maxTwoDecimals.test(String(percentage)))
      throw wrongField(field, 'must have at most two decimals');
  await tools.database.tenant(tenant.merchantId, upsertAmountParts, { ...tenant, ...parts });
  return parts;
};

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

/** Null: they were never set. */
export const readTips = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<Tips | null> => {
  const [row] = await database.tenant(tenant.merchantId, readTipRow, tenant);
  if (!row) return null;
  return {
    enabled: row.is_enabled,
    tipType: row.tip_type,
    options: row.options.map((option) => (row.tip_type === 'FIXED' ? option / 100 : option)),
    allowCustom: row.allows_custom,
  };
};

const storedOption = (type: Tips['tipType'], option: number): number => {
  const stored = type === 'FIXED' ? Number(penceFromPounds(option) ?? Number.NaN) : option;
  if (Number.isInteger(stored) && (type === 'FIXED' || stored <= 100)) return stored;
  const percents = 'must be whole percents up to 100';
  throw wrongField(
    'options',
    type === 'FIXED' ? 'must be pounds with at most two decimals' : percents,
  );
};

/** How long requests live from now on that do not say so; null: as the contract says (REQUEST-5). */
export const setExpiry = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  expiresInMs: number | null,
): Promise<void> => {
  await database.tenant(tenant.merchantId, updateExpiry, { ...tenant, expiresInMs });
};

/** Above so many pounds a member's refund needs a second person; null: none does (REFUND-11). */
export const setRefundApproval = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  above: number | null,
): Promise<void> => {
  const abovePence = above === null ? null : penceFromPounds(above);
  if (above !== null && abovePence === null)
    throw wrongField('refundApprovalAbove', 'must be pounds with at most two decimals');
  const [changed] = await database.tenant(tenant.merchantId, updateRefundApproval, {
    ...tenant,
    abovePence: abovePence?.toString() ?? null,
  });
  if (!changed) throw merchantSuspended();
};

import { type BodyOf, type changeMerchant, limits, type ReplyOf } from '@florin/contract';
import { type Pence, penceFromPounds } from '#kernel/pence.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import { checkLogo } from './check-logo.ts';
import { showMerchant, unknownMerchant } from './show-merchant.ts';
import { updateMerchant } from './store/merchants.ts';

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
  const message = 'paymentLimit must be pounds with at most two decimals, and enough for a payment';
  throw badField('paymentLimit', message, `${message}.`);
};

import type {
  BodyOf,
  getPayoutSettings,
  setPayoutSettings as operation,
  ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { pence, penceFromPounds, poundsNumber } from '#kernel/pence.ts';
import { badField, wrongField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { unknownMerchant } from './merchant.ts';
import {
  type PayoutSettingsRow,
  readPayoutSettings,
  updatePayoutSettings,
} from './store/settings.ts';

/** What is left out stays as it is. */
export const setPayoutSettings = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  changes: NonNullable<BodyOf<typeof operation>>,
): Promise<ReplyOf<typeof operation>> => {
  const { settlementPeriod, cutOff, feeFixed, feeBasisPoints } = changes;
  const values = {
    ...tenant,
    settlementPeriod: settlementPeriod ?? null,
    cutOffMinutes: cutOff === undefined ? null : minutesOf(cutOff),
    feeFixedPence: feeFixed === undefined ? null : feePence(feeFixed),
    feeBasisPoints: feeBasisPoints ?? null,
  };
  try {
    const [row] = await tools.database.tenant(tenant.merchantId, updatePayoutSettings, values);
    if (!row) throw new Error('the settings of the tenant were not found');
    return payoutSettingsOf(row);
  } catch (error) {
    // The table's own rule, so that two changes at once cannot pass it either.
    if ((error as { code?: string }).code !== '23514') throw error;
    const message = 'Refunds need payouts of the same day: switch refunds off first.';
    throw badField('settlementPeriod', 'settlementPeriod must be DAILY with refunds', message);
  }
};

const feePence = (pounds: number): string => {
  const found = penceFromPounds(pounds);
  if (found === null) throw wrongField('feeFixed', 'must have at most two decimals');
  return found.toString();
};

const minutesOf = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const payoutSettingsOf = (row: PayoutSettingsRow): ReplyOf<typeof operation> => ({
  settlementPeriod: row.settlement_period,
  cutOff: [Math.floor(row.cut_off_minutes / 60), row.cut_off_minutes % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':'),
  feeFixed: poundsNumber(pence(row.fee_fixed_pence)),
  feeBasisPoints: row.fee_basis_points,
});

export const showPayoutSettings = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<ReplyOf<typeof getPayoutSettings>> => {
  const [row] = await database.tenant(tenant.merchantId, readPayoutSettings, tenant);
  if (!row) throw unknownMerchant();
  return payoutSettingsOf(row);
};

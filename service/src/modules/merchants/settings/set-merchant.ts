import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { penceFromPounds, poundsNumber } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import { type MerchantSettingRow, updateMerchant } from './store/merchants.ts';

/** What is left out stays as it is. */
export type MerchantSettings = {
  readonly businessName?: string;
  readonly ownerEmail?: string;
  /** Pounds. */
  readonly paymentLimit?: number;
  /** Strict settlement: COMPLETED only when the money has moved (BANK-5). */
  readonly completedAtSettlement?: boolean;
  readonly avatarUrl?: string;
  /** `#rrggbb` */
  readonly accentColour?: string;
};

const ownerEmailLengthMax = 254;
const businessNameLengthMax = 100;

export const setMerchant = async (
  { database }: Uses<'database'>,
  merchantId: string,
  settings: MerchantSettings,
) => {
  const paymentLimitPence = requireSettings(settings);
  const [row] = await database.system(updateMerchant, {
    merchantId,
    businessName: settings.businessName ?? null,
    ownerEmail: settings.ownerEmail ?? null,
    paymentLimitPence,
    completedAtSettlement: settings.completedAtSettlement ?? null,
    avatarUrl: settings.avatarUrl ?? null,
    accentColour: settings.accentColour?.toLowerCase() ?? null,
  });
  if (!row) throw new Failure(failures.notFound);
  return settingsView(row);
};

const settingsView = (row: MerchantSettingRow) => ({
  businessName: row.business_name,
  ownerEmail: row.owner_email,
  paymentLimit: poundsNumber(row.payment_limit_pence as Parameters<typeof poundsNumber>[0]),
  completedAtSettlement: row.completed_at_settlement,
  avatarUrl: row.avatar_url,
  accentColour: row.accent_colour,
});

const requireSettings = (settings: MerchantSettings): bigint | null => {
  const { businessName, ownerEmail, paymentLimit, avatarUrl, accentColour } = settings;
  if (businessName !== undefined && !isText(businessName, businessNameLengthMax))
    throw refusal('businessName', `must have 1 to ${businessNameLengthMax} characters`);
  if (
    ownerEmail !== undefined &&
    !/^[^\s@]+@[^\s@]+$/.test(ownerEmail.slice(0, ownerEmailLengthMax))
  )
    throw refusal('ownerEmail', 'must be an address of mail');
  if (avatarUrl !== undefined && !(URL.canParse(avatarUrl) && avatarUrl.startsWith('https://')))
    throw refusal('avatarUrl', 'must be an https address of an image');
  if (accentColour !== undefined && !/^#[0-9a-f]{6}$/i.test(accentColour))
    throw refusal('accentColour', 'must be as in #7a3e1d');
  if (paymentLimit === undefined) return null;
  const limitPence = penceFromPounds(paymentLimit);
  if (limitPence === null || limitPence < limits.paymentAmountPenceMin)
    throw refusal(
      'paymentLimit',
      'must be pounds with at most two decimals, and enough for a payment',
    );
  return limitPence;
};

const isText = (text: string, lengthMax: number): boolean =>
  text.trim() !== '' && text.length <= lengthMax;

const refusal = (field: string, words: string): Failure => {
  const message = `${field} ${words}`;
  return new Failure(failures.badRequest, { message: `${message}.`, errors: [{ field, message }] });
};

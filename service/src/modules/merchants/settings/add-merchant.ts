import type { BodyOf, createMerchant as operation } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { type CreatedMerchant, createMerchant } from './create-merchant.ts';
import { paymentLimitPence } from './set-merchant.ts';

/** As the operator asks for it: amounts in pounds. */
export const addMerchant = (
  tools: Uses<'database' | 'ids' | 'secrets'>,
  { paymentLimit, accentColour, ...input }: BodyOf<typeof operation>,
): Promise<CreatedMerchant> =>
  createMerchant(tools, {
    ...input,
    accentColour: accentColour?.toLowerCase() ?? null,
    ...(paymentLimit === undefined ? {} : { paymentLimitPence: paymentLimitPence(paymentLimit) }),
  });

import type { BodyOf, setSandboxAmountParts } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import { upsertAmountParts } from './store/amount-parts.ts';

type AmountParts = BodyOf<typeof setSandboxAmountParts>;

const maxTwoDecimals = /^\d+(\.\d{1,2})?$/;

/** Parts of amounts requested from now on; earlier requests keep theirs. */
export const setAmountParts = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { taxPercentage, servicePercentage }: AmountParts,
): Promise<AmountParts> => {
  const parts = { taxPercentage, servicePercentage };
  for (const [field, percentage] of Object.entries(parts)) requireTwoDecimals(field, percentage);
  await tools.database.tenant(tenant.merchantId, upsertAmountParts, { ...tenant, ...parts });
  return parts;
};

const requireTwoDecimals = (field: string, percentage: number): void => {
  if (maxTwoDecimals.test(String(percentage))) return;
  const message = `${field} must have at most two decimals`;
  throw badField(field, message, `${message}.`);
};

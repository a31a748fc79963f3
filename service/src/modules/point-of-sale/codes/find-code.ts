import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { FormTokens } from '#modules/checkout/index.ts';
import { findPublicId, type Merchant, readMerchant } from '#modules/merchants/index.ts';
import type { RequestTools } from '#modules/payments/index.ts';
import { type CodeRow, readCode } from './store/codes.ts';

export type CodePageTools = RequestTools & {
  readonly formTokens: FormTokens;
  readonly operatorName: string;
};

export type FoundCode = {
  readonly tenant: Tenant;
  readonly code: CodeRow;
  readonly merchant: Merchant;
};

const printed = /^[0-9a-z]{20,40}$/;

export const findCode = async (tools: CodePageTools, token: string): Promise<FoundCode | null> => {
  const found = printed.test(token) ? await findPublicId(tools, token, 'PAYMENT_CODE') : null;
  if (!found) return null;
  const { tenant, targetId: codeId } = found;
  const [[code], merchant] = await Promise.all([
    tools.database.tenant(tenant.merchantId, readCode, { ...tenant, codeId }),
    readMerchant(tools, tenant),
  ]);
  return code ? { tenant, code, merchant } : null;
};

/** Of an open amount, within what the merchant takes now. */
export const rangeOf = ({ code, merchant }: FoundCode) => {
  const limit = merchant.paymentLimitPence;
  const max = code.max_pence ?? limit;
  return {
    min: code.min_pence ?? BigInt(limits.paymentAmountPenceMin),
    max: isAbove(max, limit) ? limit : max,
  };
};

const isAbove = (one: bigint, other: bigint): boolean => one > other;

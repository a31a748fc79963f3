import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { cancelWithCardPages, isPaid } from '#modules/payments/index.ts';
import { findSale, type Sale, type SaleTools, showTillSale } from './show-till-sale.ts';

export type VoidTools = SaleTools & Parameters<typeof cancelWithCardPages>[0];

/** Ends a sale that is not paid; against a payment one of both wins, and it is said which (TILL-3). */
export const voidTillSale = async (
  tools: VoidTools,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Sale> => {
  await findSale(tools, tenant, paymentRequestId);
  try {
    await cancelWithCardPages(tools, tenant, paymentRequestId);
  } catch (error) {
    const now = await findSale(tools, tenant, paymentRequestId);
    if (!now.attempts.some(isPaid)) throw error;
    throw new Failure(failures.invalidState, {
      message: 'It was paid, so it cannot be voided any more: refund it.',
    });
  }
  return showTillSale(tools, tenant, paymentRequestId);
};

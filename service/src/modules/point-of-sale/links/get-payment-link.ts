import type { ReplyOf } from '@florin/contract';
import type { getPaymentLink as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { poundsNumber } from '#kernel/pence.ts';
import { findOwnPayment, paymentAddresses } from '#modules/payments/index.ts';
import { findNames } from '#modules/people/index.ts';
import type { Uses } from '#platform/tools.ts';

export type LinkTools = Uses<'database'> & { readonly publicUrl: string };

/** Of any payment request: a member may show the code of what a program has made, too. */
export const getPaymentLink = async (
  tools: LinkTools,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<ReplyOf<typeof operation>> => {
  const payment = await findOwnPayment(tools, tenant, paymentRequestId);
  const names = await findNames(tools, [payment.secretId]);
  const addresses = paymentAddresses(tools.publicUrl, payment.paymentRequestId, null);
  return {
    paymentRequestId: payment.paymentRequestId,
    orderId: payment.orderId,
    amount: poundsNumber(payment.amountPence),
    notes: payment.notes,
    madeBy: names.get(payment.secretId) ?? null,
    email: payment.consumerDetails?.email || null,
    paymentUrl: addresses.paymentUrl,
    shortUrl: addresses.shortUrl,
    qrCodeUrl: addresses.qrCodeUrl,
  };
};

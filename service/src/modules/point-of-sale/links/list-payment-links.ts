import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listPaymentLinks as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { addPence, poundsNumber } from '#kernel/pence.ts';
import { isPaid, type Payment, topStatus, totalPence } from '#modules/payments/index.ts';
import { findNames } from '#modules/people/index.ts';
import type { Uses } from '#platform/tools.ts';
import { listMade } from '../made/list-made.ts';

export const listPaymentLinks = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const { payments, nextBefore } = await listMade(tools, tenant, 'DASHBOARD', query);
  const makers = payments.map(({ secretId }) => secretId);
  const names = await findNames(tools, makers);
  return { data: payments.map((payment) => linkOf(payment, names)), nextBefore };
};

const linkOf = (payment: Payment, names: ReadonlyMap<string, string>) => ({
  paymentRequestId: payment.paymentRequestId,
  orderId: payment.orderId,
  status: topStatus(payment),
  amount: poundsNumber(payment.amountPence),
  paidAmount: poundsNumber(addPence(...payment.attempts.filter(isPaid).map(totalPence))),
  notes: payment.notes,
  madeBy: names.get(payment.secretId) ?? null,
  createdAt: payment.createdAt.toISOString(),
  expiresAt: payment.expiresBusinessAt.toISOString(),
});

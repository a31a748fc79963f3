import type { listRefunds as described, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { findOwnPayment } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { readRefundsOf } from '../core/store/read-refunds.ts';
import { listedRefundView } from './view.ts';

export const listRefunds = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<ReplyOf<typeof described>> => {
  const refunds = await readRefundsOf(tools.database, tenant, paymentRequestId);
  // For an unknown payment the answer is a failure, not an empty list.
  if (refunds.length === 0) await findOwnPayment(tools, tenant, paymentRequestId);
  return refunds.map(listedRefundView);
};

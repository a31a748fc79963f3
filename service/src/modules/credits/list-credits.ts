import type { listCredits as operation, QueryOf, ReplyOf } from '@florin/contract';
import { pence, poundsText } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import type { CreditStatus } from './credit-lifecycle.ts';
import { type CreditRow, listCreditRows } from './store/credits.ts';

type Page = Pick<QueryOf<typeof operation>, 'page' | 'size'>;

/** The newest first. */
export const listCredits = async (
  { database }: Uses<'database'>,
  status: CreditStatus | null,
  { page, size }: Page,
): Promise<ReplyOf<typeof operation>> => {
  const rows = await database.system(listCreditRows, { status, limit: size, skipped: page * size });
  const data = rows.flatMap((row) => (row.credit_id === null ? [] : [creditView(row)]));
  return { page, size, data, totalCount: rows[0]?.total ?? 0 };
};

export type CreditView = ReturnType<typeof creditView>;

export const creditView = (row: CreditRow) => ({
  creditId: row.credit_id,
  environment: row.environment,
  status: row.status,
  amount: poundsText(pence(row.amount_pence)),
  currency: 'GBP',
  bankReference: row.bank_reference,
  bookedOn: row.booked_on,
  endToEndId: row.end_to_end_id,
  payerName: row.payer_name,
  remittance: row.remittance,
  reason: row.unmatched_reason,
  merchantId: row.merchant_id,
  paymentRequestId: row.payment_request_id,
  attemptId: row.attempt_id,
  matchedBy: row.matched_by,
  matchedAt: row.matched_at?.toISOString() ?? null,
  receivedAt: row.received_at.toISOString(),
});

import type { listPayoutMatches as described, QueryOf, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsText } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import { countMatches, type ListedMatch, listMatches } from './store/list-payout-matches.ts';

/** PAYOUT-7. */
export const listPayoutMatches = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { page, limit, ...query }: QueryOf<typeof described>,
): Promise<ReplyOf<typeof described>> => {
  const filter = {
    ...tenant,
    fromDay: query.fromDate ?? '-infinity',
    toDay: query.toDate ?? 'infinity',
    match: query.match ?? null,
  };
  const [rows, counted] = await Promise.all([
    database.tenant(tenant.merchantId, listMatches, { ...filter, limit, skipped: page * limit }),
    database.tenant(tenant.merchantId, countMatches, filter),
  ]);
  return {
    data: rows.map(matchView),
    page,
    itemPerPage: limit,
    totalCount: counted[0]?.total ?? 0,
  };
};

const matchView = (row: ListedMatch) => ({
  payoutId: row.payout_id,
  reference: row.reference,
  amount: poundsText(pence(row.amount_pence)),
  currency: 'GBP',
  settledAt: row.settled_at.toISOString(),
  match: row.match,
  creditedAmount: row.credited,
  credits: row.credits,
  creditedAt: row.credited_at?.toISOString() ?? null,
  bankAccountId: row.account_id,
  bankTransactionId: row.transaction_id,
  isPayoutAccount: row.is_payout_account,
});

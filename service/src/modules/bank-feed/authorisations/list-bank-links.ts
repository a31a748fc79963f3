import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listBankLinks as described } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { shownStatus } from './get-authorisation.ts';
import { authorisationOf, listNewestAuthorisations } from './store/authorisations.ts';

/** FEED-3, for the dashboard. */
export const listBankLinks = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { before, limit }: QueryOf<typeof described>,
): Promise<ReplyOf<typeof described>> => {
  const [beforeMicros = null, beforeId = null] = before?.split('.') ?? [];
  const rows = await database.tenant(tenant.merchantId, listNewestAuthorisations, {
    ...tenant,
    beforeMicros,
    beforeId,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last;
  return {
    data: page.map((row) => shown(authorisationOf(row))),
    nextBefore: hasMore ? `${last.created_micros}.${last.authorisation_id}` : null,
  };
};

const shown = (found: ReturnType<typeof authorisationOf>) => ({
  accountAuthId: found.authorisationId,
  status: shownStatus(found),
  bankName: found.bankName,
  createdAt: found.createdAt.toISOString(),
  linkedAt: found.linkedAt?.toISOString() ?? null,
  reconfirmBy: found.reconfirmBy?.toISOString() ?? null,
  endedAt: found.endedAt?.toISOString() ?? null,
});

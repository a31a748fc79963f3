import { failures, type getBankLinkRecord, type ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { findAuthorisation } from './find-authorisation.ts';
import { readAuthorisationHistory } from './store/authorisations.ts';

/** What a firm must be able to show of a link (OPERATE-8). */
export const getLinkRecord = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<ReplyOf<typeof getBankLinkRecord>> => {
  const link = await findAuthorisation(tools, tenant, authorisationId);
  if (!link) throw new Failure(failures.notFound);
  const key = { ...tenant, authorisationId };
  const history = await tools.database.tenant(tenant.merchantId, readAuthorisationHistory, key);
  return {
    accountAuthId: authorisationId,
    status: link.status,
    institutionId: link.institutionId,
    consentId: link.consentReference,
    createdAt: link.createdAt.toISOString(),
    linkedAt: link.linkedAt?.toISOString() ?? null,
    reconfirmBy: link.reconfirmBy?.toISOString() ?? null,
    endedAt: link.endedAt?.toISOString() ?? null,
    endedReason: link.endedReason,
    history: history.map((row) => ({
      fromStatus: row.from_status,
      toStatus: row.to_status,
      trigger: row.trigger,
      detail: row.detail,
      occurredAt: row.occurred_at.toISOString(),
    })),
  };
};

import {
  type getBankAuthorisation as describedGetBankAuthorisation,
  failures,
  type getBankLinkRecord,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import type { listBankLinks as describedListBankLinks } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { missingPublicId } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type Authorisation,
  type AuthorisationStatus,
  isLinkOver,
  isReadable,
} from './authorisation.ts';
import {
  authorisationOf,
  listNewestAuthorisations,
  readAuthorisation,
  readAuthorisationHistory,
} from './store/authorisations.ts';

/** The page of an authorisation, in the shape that existing clients know. */
export const linkUrl = (
  publicUrl: string,
  { authorisationId, linkExpiresAt, tenant }: Authorisation,
): string => {
  const query = new URLSearchParams({
    accountAuthId: authorisationId,
    expiresAt: linkExpiresAt.toISOString(),
    env: tenant.environment,
  });
  return `${publicUrl}${linkPath}?${query}`;
};

export const linkPath = '/link-bank';

export const findAuthorisation = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<Authorisation | null> => {
  const values = { ...tenant, authorisationId };
  const [row] = await database.tenant(tenant.merchantId, readAuthorisation, values);
  return row ? authorisationOf(row) : null;
};

/** FEED-3. */
export const getAuthorisation = async (
  tools: Uses<'database'> & { readonly publicUrl: string },
  tenant: Tenant,
  authorisationId: string,
): Promise<ReplyOf<typeof describedGetBankAuthorisation>> => {
  const found = await requireAuthorisation(tools, tenant, authorisationId);
  return {
    accountAuthId: authorisationId,
    status: shownStatus(found),
    bankName: found.bankName,
    url: linkUrl(tools.publicUrl, found),
    expiresAt: found.linkExpiresAt.toISOString(),
    linkedAt: found.linkedAt?.toISOString() ?? null,
    reconfirmBy: found.reconfirmBy?.toISOString() ?? null,
    endedAt: found.endedAt?.toISOString() ?? null,
  };
};

/** What time has done already, though no job has written it yet. */
export const shownStatus = (authorisation: Authorisation): AuthorisationStatus => {
  if (isLinkOver(authorisation)) return 'EXPIRED';
  const { status } = authorisation;
  return status === 'LINKED' && !isReadable(authorisation) ? 'RECONFIRMATION_MISSED' : status;
};

export const requireAuthorisation = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<Authorisation> => {
  const found = await findAuthorisation(tools, tenant, authorisationId);
  if (found) return found;
  const message = 'There is no authorisation with this id.';
  const kind = 'BANK_AUTHORISATION';
  throw await missingPublicId(tools, tenant, message, authorisationId, kind);
};

/** What a firm must be able to show of a bank link (OPERATE-8). */
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

/** FEED-3, for the dashboard. */
export const listBankLinks = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { before, limit }: QueryOf<typeof describedListBankLinks>,
): Promise<ReplyOf<typeof describedListBankLinks>> => {
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

import type { getBankAuthorisation as described, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { missingPublicId } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import { type Authorisation, isLinkOver, isReadable } from './authorisation.ts';
import type { AuthorisationStatus } from './authorisation-lifecycle.ts';
import { findAuthorisation } from './find-authorisation.ts';
import { linkUrl } from './link-url.ts';

/** FEED-3. */
export const getAuthorisation = async (
  tools: Uses<'database'> & { readonly publicUrl: string },
  tenant: Tenant,
  authorisationId: string,
): Promise<ReplyOf<typeof described>> => {
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

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
import { continuedPage, newestFirst } from '#platform/database/pages.ts';
import { shown } from '#platform/database/rows.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type Authorisation,
  type AuthorisationStatus,
  authorisationOf,
  isLinkOver,
  isReadable,
} from './authorisation.ts';
import {
  type LinkedAccountRow,
  listAccountsOfLinks,
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
  const { linkExpiresAt } = found;
  const times = { expiresAt: linkExpiresAt.toISOString(), url: linkUrl(tools.publicUrl, found) };
  return { ...linkView(found), ...times };
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
    ...linkView(link),
    status: link.status,
    institutionId: link.institutionId,
    consentId: link.consentReference,
    endedReason: link.endedReason,
    history: history.map(shown),
  };
};

/** FEED-3, for the dashboard. */
export const listBankLinks = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  query: QueryOf<typeof describedListBankLinks>,
): Promise<ReplyOf<typeof describedListBankLinks>> => {
  const values = { ...tenant, ...newestFirst(query) };
  const rows = await database.tenant(tenant.merchantId, listNewestAuthorisations, values);
  const { data, nextBefore } = continuedPage(rows, query.limit, authorisationOf);
  const readable = data.filter(isReadable);
  const authorisationIds = readable.map(({ authorisationId }) => authorisationId);
  const ofPage = { ...tenant, authorisationIds };
  const accounts = await database.tenant(tenant.merchantId, listAccountsOfLinks, ofPage);
  return {
    data: data.map((link) => ({
      ...linkView(link),
      accounts: accounts
        .filter((row) => row.authorisation_id === link.authorisationId)
        .map(accountView),
    })),
    nextBefore,
  };
};

const accountView = ({ authorisation_id: _, ...row }: LinkedAccountRow) => shown(row);

const linkView = (found: Authorisation) => {
  const { authorisationId: accountAuthId, bankName, createdAt, ...times } = found;
  const { linkedAt, reconfirmBy, endedAt } = times;
  const of = shown({ bankName, createdAt, linkedAt, reconfirmBy, endedAt });
  return { ...of, accountAuthId, status: shownStatus(found) };
};

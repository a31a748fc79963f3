import { checkoutAssets, renderLink } from '@florin/checkout';
import type { LinkView, PageOperator } from '@florin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '#kernel/is-uuid.ts';
import { type FormTokens, localeOf, sendHtml, sendNotice } from '#modules/checkout/index.ts';
import { findOpenId, readMerchant } from '#modules/merchants/index.ts';
import type { Authorisation } from '../authorisations/authorisation.ts';
import { expireIfOver } from '../authorisations/end-authorisations.ts';
import { findAuthorisation, linkPath } from '../authorisations/get-authorisation.ts';
import type { LinkTools } from '../authorisations/start-at-bank.ts';
import { listLinkedAccounts } from '../authorisations/store/authorisations.ts';
import { wayBack } from '../authorisations/way-back.ts';
import { linkView } from './link-view.ts';

export type LinkPageTools = LinkTools & {
  readonly formTokens: FormTokens;
  readonly publicUrl: string;
  readonly operator: PageOperator;
};

type Fields = Readonly<Record<string, unknown>>;

/** The page of an authorisation; one that has ended without a link leads back to the merchant. */
export const linkPage = async (
  tools: LinkPageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const query = (request.query ?? {}) as Fields;
  const found = await findByLink(tools, query);
  if (!found) return sendNotice(reply, 404, localeOf(request), { page: 'LINK_NOT_FOUND' });
  const { authorisation } = await expireIfOver(tools, found.tenant, found.authorisationId);
  const back = await wayBack(tools, authorisation);
  if (back && hasFailed(authorisation)) return reply.redirect(back.url, 303);
  const { tenant, authorisationId } = authorisation;
  const [merchant, accounts] = await Promise.all([
    readMerchant(tools, tenant),
    tools.database.tenant(tenant.merchantId, listLinkedAccounts, { ...tenant, authorisationId }),
  ]);
  const view = linkView({
    authorisation,
    merchant,
    accounts,
    institutions: tools.bankDataRails.institutions(tenant.environment),
    returnTo: back,
    operator: tools.operator,
    formToken: tools.formTokens.make(authorisationId),
    query: {
      locale: localeOf(request),
      search: text(query.search).slice(0, maxSearchCharacters),
      institutionId: text(query.institutionId),
      failed: text(query.failed),
      isJustConfirmed: text(query.confirmed) !== '',
    },
  });
  return sendLink(reply, view, authorisation.redirectUrl);
};

const maxSearchCharacters = 60;

/** Nothing was ever linked: the merchant's page goes on. */
const hasFailed = ({ status, linkedAt }: Authorisation): boolean =>
  linkedAt === null && (status === 'FAILED' || status === 'CANCELLED' || status === 'EXPIRED');

/** The authorisation that a link or a form names, in either environment. */
export const findByLink = async (
  tools: LinkPageTools,
  fields: Fields,
): Promise<Authorisation | null> => {
  const id = text(fields.accountAuthId).toLowerCase();
  const found = isUuid(id) ? await findOpenId(tools, id, 'BANK_AUTHORISATION') : null;
  return found && findAuthorisation(tools, found.tenant, found.targetId);
};

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const linkPagePath = (
  authorisationId: string,
  locale: string,
  more: Readonly<Record<string, string>> = {},
): string => {
  const given = Object.entries(more).filter(([, value]) => value !== '');
  const query = { accountAuthId: authorisationId, locale, ...Object.fromEntries(given) };
  return `${linkPath}?${new URLSearchParams(query)}`;
};

/** `redirectUrl`: where a form of the page may lead besides banks. */
export const sendLink = (
  reply: FastifyReply,
  view: LinkView,
  redirectUrl: string,
): FastifyReply => {
  const html = renderLink(view, { scriptUrl: checkoutAssets().script.path });
  const { accentColour } = view.frame;
  return sendHtml(reply, html, { accentColour, alsoTo: targetOf(redirectUrl) });
};

const targetOf = (redirectUrl: string): string | null => {
  if (redirectUrl === '') return null;
  const { protocol, origin } = new URL(redirectUrl);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
};

import type { FastifyReply, FastifyRequest } from 'fastify';
import { localeOf, sendNotice } from '#modules/checkout/index.ts';
import type { Authorisation } from '../authorisations/authorisation.ts';
import { reconfirm } from '../authorisations/reconfirm.ts';
import { cancelLink, revokeAuthorisation } from '../authorisations/revoke-authorisations.ts';
import { startAtBank } from '../authorisations/start-at-bank.ts';
import { findByLink, type LinkPageTools, linkPagePath, text } from './link-page.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where the browser goes next. */
type Act = (
  tools: LinkPageTools,
  authorisation: Authorisation,
  request: FastifyRequest,
) => Promise<string>;

/** A button of the page: forms of other sites change nothing and lead to the page. */
export const answerLinkForm = async (
  tools: LinkPageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  act: Act,
): Promise<FastifyReply> => {
  const fields = (request.body ?? {}) as Fields;
  const authorisation = await findByLink(tools, fields);
  if (!authorisation) return sendNotice(reply, 404, localeOf(request), { page: 'LINK_NOT_FOUND' });
  const { authorisationId } = authorisation;
  const isOurs = tools.formTokens.isMade(authorisationId, text(fields.formToken));
  const next = isOurs
    ? await act(tools, authorisation, request)
    : linkPagePath(authorisationId, localeOf(request));
  return reply.redirect(next, 303);
};

/** The customer has read what is shared and agrees. */
export const startLink: Act = async (tools, { tenant, authorisationId }, request) => {
  const institutionId = text(((request.body ?? {}) as Fields).institutionId);
  const started = await startAtBank(tools, tenant, authorisationId, {
    institutionId,
    visitor: visitorOf(request),
  });
  if (started.kind === 'AT_BANK') return started.authorisationUrl;
  const failed = started.kind === 'BANK_FAILED' ? institutionId : '';
  return linkPagePath(authorisationId, localeOf(request), { failed });
};

export const cancelFromPage: Act = async (tools, { tenant, authorisationId }, request) => {
  await cancelLink(tools, tenant, authorisationId);
  return linkPagePath(authorisationId, localeOf(request));
};

export const confirmFromPage: Act = async (tools, { tenant, authorisationId }, request) => {
  const { isChanged } = await reconfirm(tools, tenant, authorisationId);
  const confirmed = isChanged ? '1' : '';
  return linkPagePath(authorisationId, localeOf(request), { confirmed });
};

export const endFromPage: Act = async (tools, { tenant, authorisationId }, request) => {
  await revokeAuthorisation(tools, tenant, authorisationId, 'CUSTOMER');
  return linkPagePath(authorisationId, localeOf(request));
};

export const visitorOf = (request: FastifyRequest) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
});

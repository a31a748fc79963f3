import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { localeOf, readBankReturn, sendNotice } from '#modules/checkout/index.ts';
import { findPublicId, readMerchant } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import { bankLinkReturnPath } from '#rails/bank-data-rail.ts';
import type { Authorisation } from '../authorisations/authorisation.ts';
import type { BankDataRails } from '../authorisations/data-rails.ts';
import {
  cancelLink,
  reconfirm,
  revokeAuthorisation,
} from '../authorisations/end-authorisations.ts';
import { finishLink } from '../authorisations/finish-link.ts';
import { findAuthorisation, linkPath } from '../authorisations/get-authorisation.ts';
import { startAtBank } from '../authorisations/start-at-bank.ts';
import { wayBack } from '../authorisations/way-back.ts';
import {
  findByLink,
  type LinkPageTools,
  linkPage,
  linkPagePath,
  sendLink,
  text,
} from './link-page.ts';
import { frameOf } from './link-view.ts';

const madeByUs = /^[0-9a-z]{16,64}$/;

/** The authorisation whose customer is at the bank of static data, by the state of that visit. */
const findOpenState = async (
  tools: Uses<'database'> & { readonly bankDataRails: BankDataRails },
  state: string,
): Promise<Authorisation | null> => {
  const found = madeByUs.test(state) ? await findPublicId(tools, state, 'BANK_LINK_STATE') : null;
  const authorisation = found && (await findAuthorisation(tools, found.tenant, found.targetId));
  if (authorisation?.oauthState !== state || authorisation.status !== 'AT_BANK') return null;
  const { tenant, institutionId } = authorisation;
  const rail = tools.bankDataRails.find(tenant.environment, institutionId ?? '');
  return rail?.isStatic ? authorisation : null;
};

type Fields = Readonly<Record<string, unknown>>;

/** Where the browser goes next. */
type Act = (
  tools: LinkPageTools,
  authorisation: Authorisation,
  request: FastifyRequest,
) => Promise<string>;

/** A button of the page: forms of other sites change nothing and lead to the page. */
const answerLinkForm = async (
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
const startLink: Act = async (tools, { tenant, authorisationId }, request) => {
  const institutionId = text(((request.body ?? {}) as Fields).institutionId);
  const started = await startAtBank(tools, tenant, authorisationId, {
    institutionId,
    visitor: visitorOf(request),
  });
  if (started.kind === 'AT_BANK') return started.authorisationUrl;
  const failed = started.kind === 'BANK_FAILED' ? institutionId : '';
  return linkPagePath(authorisationId, localeOf(request), { failed });
};

const cancelFromPage: Act = async (tools, { tenant, authorisationId }, request) => {
  await cancelLink(tools, tenant, authorisationId);
  return linkPagePath(authorisationId, localeOf(request));
};

const confirmFromPage: Act = async (tools, { tenant, authorisationId }, request) => {
  const { isChanged } = await reconfirm(tools, tenant, authorisationId);
  const confirmed = isChanged ? '1' : '';
  return linkPagePath(authorisationId, localeOf(request), { confirmed });
};

const endFromPage: Act = async (tools, { tenant, authorisationId }, request) => {
  await revokeAuthorisation(tools, tenant, authorisationId, 'CUSTOMER');
  return linkPagePath(authorisationId, localeOf(request));
};

const visitorOf = (request: FastifyRequest) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
});

// A return acts: HEAD answers there and does not.
const withoutHead = { exposeHeadRoute: false } as const;

/** The pages of customers who link bank accounts. They need no script and load nothing from others. */
export const linkPageRoutes = (app: FastifyInstance, tools: LinkPageTools): void => {
  app.get(linkPath, withoutHead, (request, reply) => linkPage(tools, request, reply));
  const forms = [
    ['start', startLink],
    ['cancel', cancelFromPage],
    ['confirm', confirmFromPage],
    ['end', endFromPage],
  ] as const;
  for (const [name, act] of forms)
    app.post(`${linkPath}/${name}`, (request, reply) => answerLinkForm(tools, request, reply, act));
  app.get(`${linkPath}/test-bank`, withoutHead, (request, reply) =>
    showTestBank(tools, request, reply),
  );
  for (const method of ['GET', 'POST'] as const)
    app.route({
      method,
      url: bankLinkReturnPath,
      ...withoutHead,
      handler: (request, reply) => returnFromLinkedBank(tools, request, reply, method),
    });
  for (const path of [linkPath, `${linkPath}/test-bank`, bankLinkReturnPath])
    app.head(path, (_, reply) => reply.send());
};

/** The login of the bank with static data. It shows nothing that its address does not know. */
const showTestBank = async (
  tools: LinkPageTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const state = text((request.query as Readonly<Record<string, unknown>> | undefined)?.state);
  const authorisation = await findOpenState(tools, state);
  const locale = localeOf(request);
  if (!authorisation) return sendNotice(reply, 404, locale, { page: 'LINK_NOT_FOUND' });
  const { tenant, authorisationId, redirectUrl, bankName } = authorisation;
  const merchant = await readMerchant(tools, tenant);
  const frame = frameOf(merchant, tenant.environment, tools.operator, locale);
  const common = { frame, accountAuthId: authorisationId, formToken: '', returnTo: null };
  const view = { ...common, page: 'TEST_BANK', bankName: bankName ?? '', state } as const;
  return sendLink(reply, view, redirectUrl);
};

/** The bank sends the customer back, in the query or by a form that our own page posts. */
const returnFromLinkedBank = async (
  tools: LinkPageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  method: 'GET' | 'POST',
): Promise<FastifyReply> => {
  const { parameters, state, isInFragment } = readBankReturn(request, method);
  const locale = localeOf(request);
  if (isInFragment)
    return sendNotice(reply, 200, locale, { page: 'FRAGMENT_RETURN', action: bankLinkReturnPath });
  if (state === null) return sendNotice(reply, 400, locale, { page: 'LINK_BAD_RETURN' });
  const finished = await finishLink(tools, parameters, state, visitorOf(request));
  if (finished.kind === 'BAD_RETURN')
    return sendNotice(reply, 400, locale, { page: 'LINK_BAD_RETURN' });
  if (finished.kind === 'UNVERIFIED')
    return sendNotice(reply, 503, locale, { page: 'UNAVAILABLE', requestId: request.id });
  const { authorisation } = finished;
  const back = await wayBack(tools, authorisation);
  return reply.redirect(back?.url ?? linkPagePath(authorisation.authorisationId, locale), 303);
};

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { localeOf, readBankReturn, sendNotice } from '#modules/checkout/index.ts';
import { readMerchant } from '#modules/merchants/index.ts';
import { bankLinkReturnPath } from '#rails/bank-data-rail.ts';
import { finishLink } from '../authorisations/finish-link.ts';
import { linkPath } from '../authorisations/link-url.ts';
import { wayBack } from '../authorisations/way-back.ts';
import {
  answerLinkForm,
  cancelFromPage,
  confirmFromPage,
  endFromPage,
  startLink,
  visitorOf,
} from './answer-link-form.ts';
import { findOpenState } from './find-open-state.ts';
import { type LinkPageTools, linkPage, linkPagePath, sendLink, text } from './link-page.ts';
import { frameOf } from './link-view.ts';

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
  const frame = frameOf(merchant, tenant.environment, tools.operatorName, locale);
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

import type { FastifyInstance } from 'fastify';
import { auditCallers } from '#modules/audit/index.ts';
import { hurryRefresh, linkPageRoutes } from '#modules/bank-feed/index.ts';
import {
  allowOrigins,
  checkoutRoutes,
  formTokens,
  openPageOpenings,
  watchPayments,
} from '#modules/checkout/index.ts';
import { openRequestLog, servePreview } from '#modules/dashboard/index.ts';
import { exportRoutes } from '#modules/exports/index.ts';
import { openAuthentication } from '#modules/merchants/index.ts';
import { guardOperators } from '#modules/operators/index.ts';
import { chargeSender, eventRoutes, railRoutes } from '#modules/payments/index.ts';
import { guardPeople, listCaughtMails } from '#modules/people/index.ts';
import { codePageRoutes } from '#modules/point-of-sale/index.ts';
import { followCardRefund } from '#modules/refunds/index.ts';
import { scenarios } from '#modules/sandbox/index.ts';
import { noticeRoutes } from '#modules/transfers/index.ts';
import { streamWebhookEvents } from '#modules/webhooks/index.ts';
import { parseForms } from '#platform/http/input/read-json.ts';
import { countRequests, logRequests } from '#platform/http/log-requests.ts';
import { openHttpServer } from '#platform/http/open-http-server.ts';
import { openRateLimit } from '#platform/http/rate/open-rate-limit.ts';
import { serveRoute } from '#platform/http/serve-route.ts';
import { saveReply } from '#platform/idempotency/save-reply.ts';
import { idempotencyStore } from '#platform/idempotency/store.ts';
import { readPictures } from '#platform/pictures.ts';
import type { Tools } from '#platform/tools.ts';
import { dashboardRoutes } from '../dashboard/dashboard-routes.ts';
import { openBundle } from '../dashboard/open-bundle.ts';
import { answerDocsErrors } from '../docs/answer-docs-errors.ts';
import { docsRoutes } from '../docs/docs-routes.ts';
import { type HomeOptions, homeRoutes } from '../home/home-routes.ts';
import { dashboardUrlOf } from './dashboard-url-of.ts';
import { healthRoutes } from './health-routes.ts';
import { listRoutes, listSdkRoutes } from './list-routes.ts';
import { metricsRoute } from './metrics-route.ts';
import type { Rails } from './open-rails.ts';

export type Api = { readonly app: FastifyInstance; readonly close: () => Promise<void> };

type ApiOptions = {
  readonly isSandboxReady?: () => boolean;
  /** Of the all-in-one start: its front page shows it to a visitor at this machine. */
  readonly demoSecret?: () => string | null;
  /** Where the setting does not say. */
  readonly limitsRate?: boolean;
  readonly openSignUp?: boolean;
};

/** The API and the hosted page on one server, not listening yet. */
export const openApi = async (
  tools: Tools,
  rails: Omit<Rails, 'isSandboxOpen' | 'close'>,
  publicUrl: string,
  {
    isSandboxReady = () => true,
    limitsRate = false,
    openSignUp = true,
    demoSecret,
  }: ApiOptions = {},
): Promise<Api> => {
  const app = openHttpServer(tools);
  countRequests(app);
  const { authenticate, forget: forgetSecret, drain } = openAuthentication(tools);
  const isLimited = tools.config.limitsRate ?? limitsRate;
  const rate = openRateLimit(tools, isLimited);
  const [requestLog, openings] = [openRequestLog(tools), openPageOpenings(tools)];
  const guards = {
    ...guardsOf(tools, isLimited),
    noteCaller: logRequests(app, tools, requestLog.record),
    authenticate,
    limitRate: rate.limitRate,
  };
  const sender = chargeSender(tools);
  allowOrigins(app, tools, listSdkRoutes({ ...tools, ...rails, publicUrl }));
  const catchesMail = demoSecret !== undefined;
  const served = { ...rails, openSignUp, catchesMail, chargeSender: sender, forgetSecret };
  for (const route of listRoutes(tools, served, publicUrl)) serveRoute(app, guards, route);
  const followRefund: Parameters<typeof railRoutes>[1]['followRefund'] = (tenant, refund) =>
    followCardRefund({ ...tools, ...rails }, tenant, refund);
  await app.register(async (scope) => {
    rate.limitScope(scope, 'PAGE');
    exportRoutes(scope, authenticate, tools);
    streamWebhookEvents(scope, authenticate, { ...tools, ...rate });
  });
  await app.register(async (scope) => {
    rate.limitScope(scope, 'RAIL');
    railRoutes(scope, { ...tools, ...rails, followRefund });
  });
  await app.register(async (scope) => {
    rate.limitScope(scope, 'RAIL');
    noticeRoutes(scope, { ...tools, ...rails });
  });
  await app.register(async (scope) => {
    rate.limitScope(scope, 'RAIL');
    const hurry = (named: Parameters<typeof hurryRefresh>[1]) => hurryRefresh(tools, named);
    eventRoutes(scope, { ...tools, ...rails, hurryRefresh: hurry });
  });
  const isReady = healthRoutes(app, { ...tools, isSandboxReady });
  metricsRoute(app, tools.config);
  await app.register(async (pages) => {
    parseForms(pages);
    rate.limitScope(pages, 'PAGE');
    const shown = {
      ...tools,
      ...rails,
      scenarios,
      publicUrl,
      operatorName: tools.config.operatorName,
      pictures: readPictures(tools.config.picturesFolder),
      // The same in every process, so that a page served by one may be posted to another.
      formTokens: formTokens(tools.secrets.keyFor('checkout-form')),
    };
    checkoutRoutes(pages, {
      ...shown,
      openings,
      watchPayments: watchPayments(tools),
      streamSlots: rate.streamSlots,
    });
    otherPages(pages, shown);
    const own = { publicUrl, isReady, demoSecret, ...ofHome(tools, publicUrl) };
    await pages.register(async (docs) => ownPages(docs, own));
  });
  return {
    app,
    close: async () => {
      await app.close();
      await sender.drain();
      await Promise.all([requestLog.drain(), openings.drain(), drain()]);
    },
  };
};

type OtherPages = Parameters<typeof linkPageRoutes>[1] &
  Parameters<typeof codePageRoutes>[1] &
  Parameters<typeof servePreview>[1];

const otherPages = (pages: FastifyInstance, shown: OtherPages): void => {
  linkPageRoutes(pages, shown);
  codePageRoutes(pages, shown);
  servePreview(pages, shown);
};

/** Mails to people are on the front page as long as nothing sends them. */
const ofHome = (tools: Tools, publicUrl: string) => {
  const mailed = { ...tools, dashboardUrl: dashboardUrlOf(tools, publicUrl) };
  const caughtMails = async (limit: number) =>
    tools.config.smtpUrl ? [] : listCaughtMails(mailed, limit);
  return { log: tools.log, caughtMails };
};

/** Pages that belong to no payment. */
const ownPages = (
  app: FastifyInstance,
  options: HomeOptions & { readonly log: Tools['log'] },
): void => {
  answerDocsErrors(app, options.log);
  docsRoutes(app);
  dashboardRoutes(app, { openBundle, log: options.log });
  homeRoutes(app, options);
};

const guardsOf = (tools: Tools, limitsRate: boolean) => ({
  saveReply: saveReply(idempotencyStore(tools.database)),
  auditCaller: auditCallers(tools),
  operators: guardOperators(tools),
  people: guardPeople(tools, { limitsRate }),
  log: tools.log,
});

import type { FastifyInstance } from 'fastify';
import { auditCallers } from '#modules/audit/index.ts';
import { hurryRefresh } from '#modules/bank-feed/index.ts';
import {
  allowOrigins,
  formTokens,
  nameOperator,
  openPageOpenings,
  watchPayments,
} from '#modules/checkout/index.ts';
import { openRequestLog } from '#modules/dashboard/index.ts';
import { openAuthentication } from '#modules/merchants/index.ts';
import { guardOperators } from '#modules/operators/index.ts';
import { chargeSender } from '#modules/payments/index.ts';
import { guardPeople, listCaughtMails, visitorBy } from '#modules/people/index.ts';
import { followCardRefund } from '#modules/refunds/index.ts';
import { scenarios } from '#modules/sandbox/index.ts';
import type { Config } from '#platform/config.ts';
import { useCellMarks } from '#platform/http/cell-marks.ts';
import { giveNotice } from '#platform/http/end-with-requests.ts';
import { parseForms } from '#platform/http/input/read-json.ts';
import { logRefusals } from '#platform/http/log-refusals.ts';
import { countRequests, logRequests } from '#platform/http/log-requests.ts';
import { openHttpServer } from '#platform/http/open-http-server.ts';
import { openRateLimit } from '#platform/http/rate/open-rate-limit.ts';
import { type RouteGuards, serveRoute } from '#platform/http/serve-route.ts';
import { useCookies } from '#platform/http/use-cookies.ts';
import { saveReply } from '#platform/idempotency/save-reply.ts';
import { idempotencyStore } from '#platform/idempotency/store.ts';
import { readPictures } from '#platform/pictures.ts';
import type { Tools } from '#platform/tools.ts';
import { type DashboardOptions, dashboardRoutes } from '../dashboard/dashboard-routes.ts';
import { openBundle } from '../dashboard/open-bundle.ts';
import { answerDocsErrors } from '../docs/answer-docs-errors.ts';
import { docsRoutes } from '../docs/docs-routes.ts';
import { type WellKnown, wellKnownRoutes } from '../docs/well-known.ts';
import { type HomeOptions, homeRoutes } from '../home/home-routes.ts';
import { metricsRoute } from '../monitoring/metrics-route.ts';
import { dashboardUrlOf } from './dashboard-url-of.ts';
import { errorPage } from './error-page.ts';
import { healthRoutes } from './health-routes.ts';
import { type ApiTools, modules, partsOf } from './modules.ts';
import { type Rails, simulatorSetting } from './open-rails.ts';
import { reportReceivers } from './report-receivers.ts';
import { serveDashboardApart } from './serve-dashboard-apart.ts';
import { serveOperatorsApart } from './serve-operators-apart.ts';

export type Api = { readonly app: FastifyInstance; readonly close: () => Promise<void> };

type ApiOptions = {
  readonly isSandboxReady?: () => boolean;
  /** Of the all-in-one start: its front page shows it to a visitor at this machine. */
  readonly demoSecret?: () => string | null;
  /** Where the setting does not say. */
  readonly limitsRate?: boolean;
  readonly openSignUp?: boolean;
  /** How long it says that it leaves before it ends its requests. Left out: it cuts them. */
  readonly noticeMs?: number;
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
    noticeMs,
    demoSecret,
  }: ApiOptions = {},
): Promise<Api> => {
  const app = openHttpServer(tools, { endsRequests: noticeMs !== undefined, errorPage });
  useCellMarks(app, tools);
  serveOperatorsApart(app, tools.config);
  serveDashboardApart(app, tools.config);
  useCookies(app, { isSecure: publicUrl.startsWith('https:') });
  nameOperator(app, operatorOf(tools.config));
  countRequests(app);
  logRefusals(app, tools);
  const { authenticate, forget: forgetSecret, drain } = openAuthentication(tools);
  const isLimited = tools.config.limitsRate ?? limitsRate;
  const rate = openRateLimit(tools, isLimited);
  const [requestLog, openings] = [openRequestLog(tools), openPageOpenings(tools)];
  const guards = {
    ...guardsOf(tools, isLimited),
    noteCaller: logRequests(app, tools, requestLog.record),
    authenticate,
    limitRate: rate.limitRate,
    limitRefused: rate.limitRefused,
  };
  const sender = chargeSender(tools);
  const all = giveTools({
    ...{ ...tools, ...rails, publicUrl, authenticate, forgetSecret, openings },
    chargeSender: sender,
    openSignUp: tools.config.openSignUp ?? openSignUp,
    catchesMail: demoSecret !== undefined,
    streamSlots: rate.streamSlots,
  });
  await mountCalls(app, guards, rate, all);
  const leaving = giveNotice(app, noticeMs ?? 0);
  const isReady = healthRoutes(app, { ...tools, isSandboxReady, isLeaving: leaving.isLeaving });
  metricsRoute(app, tools);
  await app.register(async (pages) => {
    parseForms(pages);
    rate.limitScope(pages, 'PAGE');
    for (const mount of partsOf('pages')) mount(pages, all);
    const own = { publicUrl, isReady, demoSecret, ...tools, ...ofHome(tools, publicUrl) };
    await pages.register(async (docs) => ownPages(docs, own));
  });
  return {
    app,
    close: async () => {
      await leaving.notice();
      await app.close();
      await sender.drain();
      await Promise.all([requestLog.drain(), openings.drain(), drain()]);
    },
  };
};

const operatorOf = ({ operatorName, operatorStatus, termsUrl, privacyUrl }: Config) => ({
  ...{ operatorName, operatorStatus, termsUrl, privacyUrl },
});

type OtherTools = Pick<
  ApiTools,
  | ('simulatorSetting' | 'scenarios' | 'operator' | 'pictures' | 'formTokens')
  | ('watchPayments' | 'receivers' | 'followRefund' | 'hurryRefresh' | 'dashboardUrl')
>;

const giveTools = (given: Omit<ApiTools, keyof OtherTools | 'dueSources'>): ApiTools => {
  const others: OtherTools = {
    ...{ simulatorSetting, scenarios, operator: operatorOf(given.config) },
    pictures: readPictures(given.config.picturesFolder),
    // The same in every process, so that a page served by one may be posted to another.
    formTokens: formTokens(given.secrets.keyFor('checkout-form')),
    watchPayments: watchPayments(given),
    receivers: reportReceivers(given),
    dashboardUrl: dashboardUrlOf(given, given.publicUrl),
    followRefund: (tenant, refund) => followCardRefund(given, tenant, refund),
    hurryRefresh: (named) => hurryRefresh(given, named),
  };
  const tools = { ...given, ...others };
  return { ...tools, dueSources: modules.flatMap(({ dueSource }) => dueSource?.(tools) ?? []) };
};

/** What programs call: operations, answers that are written while they are read, and calls of rails. */
const mountCalls = async (
  app: FastifyInstance,
  guards: RouteGuards,
  { limitScope }: Pick<ReturnType<typeof openRateLimit>, 'limitScope'>,
  all: ApiTools,
): Promise<void> => {
  const sdkRoutes = partsOf('sdkRoutes').flatMap((routesOf) => routesOf(all));
  allowOrigins(app, all, sdkRoutes, guards.noteCaller);
  const routes = [...partsOf('routes'), ...partsOf('operatorRoutes')];
  for (const route of [...routes.flatMap((routesOf) => routesOf(all)), ...sdkRoutes])
    serveRoute(app, guards, route);
  await app.register(async (scope) => {
    limitScope(scope, 'PAGE');
    for (const mount of partsOf('streams')) mount(scope, all);
  });
  for (const mount of partsOf('railCalls'))
    await app.register(async (scope) => {
      limitScope(scope, 'RAIL');
      mount(scope, all);
    });
};

/** Mails to people are on the front page as long as nothing sends them. */
const ofHome = (tools: Tools, publicUrl: string) => {
  const mailed = { ...tools, dashboardUrl: dashboardUrlOf(tools, publicUrl) };
  const caughtMails = async (limit: number) =>
    tools.config.smtpUrl ? [] : listCaughtMails(mailed, limit);
  const visitor = (cookies: string | undefined) => visitorBy(tools, cookies);
  return { caughtMails, visitor };
};

/** Pages that belong to no payment. */
const ownPages = (
  app: FastifyInstance,
  options: HomeOptions & WellKnown & Omit<DashboardOptions, 'openBundle'>,
): void => {
  answerDocsErrors(app, options.log);
  docsRoutes(app);
  wellKnownRoutes(app, options);
  dashboardRoutes(app, { openBundle, ...options });
  homeRoutes(app, options);
};

const guardsOf = (tools: Tools, limitsRate: boolean) => ({
  saveReply: saveReply(idempotencyStore(tools.database)),
  auditCaller: auditCallers(tools),
  operators: guardOperators(tools),
  people: guardPeople(tools, { limitsRate }),
  log: tools.log,
});

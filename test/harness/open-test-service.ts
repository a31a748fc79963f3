import type { FastifyInstance, InjectOptions } from 'fastify';
import { auditCallers } from '../../service/src/modules/audit/index.ts';
import { openRequestLog } from '../../service/src/modules/dashboard/index.ts';
import {
  type CreatedMerchant,
  createMerchant,
  type NewMerchant,
  openAuthentication,
  setCollectingAccounts,
} from '../../service/src/modules/merchants/index.ts';
import { createOperatorSecret, guardOperators } from '../../service/src/modules/operators/index.ts';
import { guardPeople } from '../../service/src/modules/people/index.ts';
import { type Clock, randomIds, systemClock } from '../../service/src/platform/clock.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import { openDatabase } from '../../service/src/platform/database/open-database.ts';
import { logRefusals } from '../../service/src/platform/http/log-refusals.ts';
import { logRequests } from '../../service/src/platform/http/log-requests.ts';
import { openHttpServer } from '../../service/src/platform/http/open-http-server.ts';
import { openRateLimit } from '../../service/src/platform/http/rate/open-rate-limit.ts';
import type { Route } from '../../service/src/platform/http/route.ts';
import { serveRoute } from '../../service/src/platform/http/serve-route.ts';
import { saveReply } from '../../service/src/platform/idempotency/save-reply.ts';
import { idempotencyStore } from '../../service/src/platform/idempotency/store.ts';
import type { Log } from '../../service/src/platform/log.ts';
import { openSecrets } from '../../service/src/platform/secrets/open-secrets.ts';
import type { Tools } from '../../service/src/platform/tools.ts';
import { openTestDatabase, type TestServer } from './database/open-test-database.ts';
import { recordFailures } from './failures/record-failures.ts';
import { openRecordedLog } from './open-recorded-log.ts';

export type TestServiceOptions = {
  readonly routes?: (tools: Tools) => readonly Route[];
  /** Settings, as a program would read them from its environment. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly tools?: Partial<Tools>;
  /** Another server than that of the run. */
  readonly server?: TestServer;
  /** Another way to the database, such as a proxy. */
  readonly connectThrough?: (databaseUrl: string) => Promise<string>;
};

export type TestRequest = {
  /** Default: the first merchant's sandbox secret. Null sends no Authorization. */
  readonly secret?: string | null;
  /** Sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type TestReply = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is the check.
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
};

export type TestService = Awaited<ReturnType<typeof openTestService>>;

/** The given routes over a real database, with one merchant that has a secret per environment. */
export const openTestService = async (options: TestServiceOptions = {}) => {
  const testDatabase = await openTestDatabase(options.server);
  const recordedLog = openRecordedLog();
  const url = (await options.connectThrough?.(testDatabase.url)) ?? testDatabase.url;
  const tools = openTools(url, recordedLog.log, options);
  await setCollectingAccounts(tools);
  const authentication = openAuthentication(tools);
  const app = openHttpServer(tools);
  logRefusals(app, tools);
  const requestLog = openRequestLog(tools);
  const rate = openRateLimit(tools, tools.config.limitsRate ?? false);
  const server = {
    noteCaller: logRequests(app, tools, requestLog.record),
    authenticate: authentication.authenticate,
    limitRate: rate.limitRate,
    limitRefused: rate.limitRefused,
    saveReply: saveReply(idempotencyStore(tools.database)),
    auditCaller: auditCallers(tools),
    operators: guardOperators(tools),
    people: guardPeople(tools, { limitsRate: tools.config.limitsRate ?? false }),
    log: tools.log,
  };
  const routes = options.routes?.(tools) ?? [];
  const recorded = recordFailures(app, routes);
  for (const served of routes) serveRoute(app, server, served);
  const newMerchant = (changes: Partial<NewMerchant> = {}): Promise<CreatedMerchant> =>
    createMerchant(tools, {
      businessName: 'Corner Coffee',
      bankAccounts: testBankAccounts,
      ...changes,
    });
  const merchant = await newMerchant();
  const sandboxSecret = merchant.secrets.SANDBOX.secret;
  return {
    app,
    tools,
    database: tools.database,
    databaseUrl: testDatabase.url,
    authentication,
    requestLog,
    logged: recordedLog.lines,
    merchant,
    sandbox: { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const,
    production: { merchantId: merchant.merchantId, environment: 'PRODUCTION' } as const,
    sandboxSecret,
    productionSecret: merchant.secrets.PRODUCTION.secret,
    newMerchant,
    newOperator: (name: string, expiresAt: Date | null = null) =>
      createOperatorSecret(tools, name, expiresAt),
    request: (method: string, path: string, sent: TestRequest = {}) =>
      request(app, method, path, { secret: sandboxSecret, ...sent }),
    /** Listens on a real socket and answers the address. */
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    close: async () => {
      await app.close();
      await authentication.drain();
      await requestLog.drain();
      await tools.database.close();
      await testDatabase.close();
      await recorded.close();
      recordedLog.close();
    },
  };
};

export const testBankAccounts = {
  SANDBOX: { sortCode: '180002', accountNumber: '00000190', name: 'Sandbox Shop' },
  PRODUCTION: { sortCode: '107999', accountNumber: '88837491', name: 'Production Shop' },
} as const;

const openTools = (
  url: string,
  recordedLog: Log,
  { settings, clock, tools }: TestServiceOptions,
): Tools => {
  const log = tools?.log ?? recordedLog;
  const ids = randomIds();
  const database = openDatabase(
    {
      connectionString: url,
      tenantConnections: 2,
      systemConnections: 2,
      applicationName: 'florin-test',
    },
    log,
  );
  return {
    database,
    clock: clock ?? systemClock,
    ids,
    secrets: openSecrets([ids.bytes(32)]),
    log,
    config: readConfig(settings ?? {}),
    wakeDispatcher: () => undefined,
    ...tools,
  };
};

const request = async (
  app: FastifyInstance,
  method: string,
  path: string,
  { secret, body, headers = {} }: TestRequest,
): Promise<TestReply> => {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const reply = await app.inject({
    method: method as InjectOptions['method'],
    url: path,
    headers: {
      ...(secret ? { authorization: `Bearer ${secret}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: isRaw ? body : JSON.stringify(body) }),
  });
  return { status: reply.statusCode, body: parsed(reply.body), headers: reply.headers };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

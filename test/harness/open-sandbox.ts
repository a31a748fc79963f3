import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import type { Tools } from '../../service/src/platform/tools.ts';
import { bankReturnAddresses } from '../../service/src/programs/wiring/bank-return-addresses.ts';
import { openApi } from '../../service/src/programs/wiring/open-api.ts';
import { openRails, type Rails } from '../../service/src/programs/wiring/open-rails.ts';
import { openTools } from '../../service/src/programs/wiring/open-tools.ts';
import { openWorker } from '../../service/src/programs/wiring/open-worker.ts';
import { simulatorFolder } from '../../service/src/programs/wiring/simulator-folder.ts';
import {
  openSimulatorDatabase,
  openTestDatabase,
  type TestServer,
} from './database/open-test-database.ts';
import { discardFolder } from './discard-folder.ts';
import { recordSeenFailures } from './failures/record-failures.ts';
import { openRecordedLog } from './open-recorded-log.ts';
import { testBankAccounts } from './open-test-service.ts';
import { findTestPort } from './programs/find-test-port.ts';
import { copyTrust } from './simulator/copy-trust.ts';
import { openSimulatorHere } from './simulator/open-simulator-here.ts';

export type SandboxReply = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is the check.
  readonly body: any;
  readonly headers: Headers;
};

type Settings = Readonly<Record<string, string>>;

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

// Each connection plans its statements anew: with the product's numbers the database server took a
// fifth more CPU (`payouts.test.ts`: 4.6 s and 3.4 s).
const fewConnections = { DATABASE_TENANT_CONNECTIONS: '3', DATABASE_SYSTEM_CONNECTIONS: '3' };

/** The whole product in this process, with a simulator of its own, on databases of its own. */
export const openSandbox = async (
  settings: Settings | ((databaseUrl: string) => Settings) = {},
  /** Another way to the database, such as a proxy. */
  connectThrough: (databaseUrl: string) => Promise<string> = async (databaseUrl) => databaseUrl,
  /** Another server than that of the run. */
  server?: TestServer,
  /** Other rails than those of the product, such as card accounts at another simulator. */
  changeRails: (rails: Rails, tools: Tools) => Rails = (rails) => rails,
) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-sandbox-'));
  const [database, simulatorDatabase] = await Promise.all([
    openTestDatabase(server),
    openSimulatorDatabase(server),
  ]);
  const port = await findTestPort();
  const url = `http://127.0.0.1:${port}`;
  const recorded = openRecordedLog();
  const given = typeof settings === 'function' ? settings(database.url) : settings;
  const config = readConfig({
    FLORIN_DATA: folder,
    LOG_LEVEL: 'silent',
    ...fewConnections,
    ...given,
  });
  await copyTrust(join(simulatorFolder(folder), 'trust'));
  const simulator = await openSimulatorHere({
    SIMULATOR_DATABASE_URL: simulatorDatabase.url,
    SIMULATOR_TRUST_FOLDER: join(simulatorFolder(folder), 'trust'),
    SIMULATOR_REDIRECT_URIS: bankReturnAddresses(url).join(','),
    SIMULATOR_CARDS_WEBHOOK_URLS: `${url}/api/rails/card-events/sandbox`,
    // Two seconds each would be minutes of a run.
    SIMULATOR_SETTLES_BY_MS: '600',
    SIMULATOR_TRANSFERS_NOTICE_URL: `${url}/api/rails/bank-notices/sandbox`,
  });
  const tools = await openTools(config, await connectThrough(database.url), 'test', recorded.log);
  const rails = changeRails(await openRails(tools, url), tools);
  const worker = openWorker(tools, rails, url);
  let demoSecret: string | null = null;
  const api = await openApi(tools, rails, config.publicUrl ?? url, {
    demoSecret: () => demoSecret,
  });
  const merchant = await createMerchant(tools, {
    businessName: 'Corner Coffee',
    ownerEmail: 'owner@example.com',
    bankAccounts: testBankAccounts,
  });
  const secret = merchant.secrets.SANDBOX.secret;
  demoSecret = secret;
  await api.app.listen({ port, host: '127.0.0.1' });
  const seenFailures = recordSeenFailures();
  const request = async (
    method: string,
    path: string,
    sent: { body?: unknown; secret?: string | null; headers?: Record<string, string> } = {},
  ): Promise<SandboxReply> => {
    const used = sent.secret === undefined ? secret : sent.secret;
    const answer = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(used ? { authorization: `Bearer ${used}` } : {}),
        ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
    });
    const text = await answer.text();
    // The reply says nothing of what went wrong inside; the log does.
    if (answer.status === 500)
      process.stderr.write(
        recorded.lines.filter((line) => line.includes('internal error')).join(''),
      );
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    const body = isJson ? JSON.parse(text) : text;
    seenFailures.see(method, path, answer.status, body);
    return {
      status: answer.status,
      body,
      headers: answer.headers,
    };
  };
  return {
    url,
    folder,
    databaseUrl: database.url,
    simulator,
    tools,
    rails,
    merchant,
    tenant: { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const,
    /** What was logged since. */
    logged: recorded.lines,
    secret,
    productionSecret: merchant.secrets.PRODUCTION.secret,
    request,
    /** From now on only the test runs due work. */
    jobNames: worker.jobNames,
    stopWorker: () => worker.stop(),
    close: async () => {
      await seenFailures.close();
      await api.close();
      await worker.stop();
      await rails.close();
      await simulator.stop();
      await tools.database.close();
      await Promise.all([database.close(), simulatorDatabase.close()]);
      await discardFolder(folder);
      recorded.close();
    },
  };
};

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { paymentJobs } from '../../service/src/modules/payments/index.ts';
import { payoutJobs } from '../../service/src/modules/payouts/index.ts';
import { refundJobs } from '../../service/src/modules/refunds/index.ts';
import { transferJobs } from '../../service/src/modules/transfers/index.ts';
import { startDispatcher } from '../../service/src/modules/webhooks/index.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import { bankReturnAddresses } from '../../service/src/programs/wiring/bank-return-addresses.ts';
import { openApi } from '../../service/src/programs/wiring/open-api.ts';
import { openRails } from '../../service/src/programs/wiring/open-rails.ts';
import { openTools } from '../../service/src/programs/wiring/open-tools.ts';
import { reportReceivers } from '../../service/src/programs/wiring/report-receivers.ts';
import { simulatorFolder } from '../../service/src/programs/wiring/simulator-folder.ts';
import { openSimulatorDatabase, openTestDatabase } from '../harness/database/open-test-database.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { openRecordedLog } from '../harness/open-recorded-log.ts';
import type { Sandbox } from '../harness/open-sandbox.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';
import { findTestPort } from '../harness/programs/find-test-port.ts';
import { copyTrust } from '../harness/simulator/copy-trust.ts';
import { openSimulatorHere } from '../harness/simulator/open-simulator-here.ts';

type Sent = { readonly body?: object; readonly headers?: Readonly<Record<string, string>> };

export type ProductByHand = Awaited<ReturnType<typeof openProductByHand>>;

/**
 * API and simulator in this process, without a worker: a job runs when the test says so. What the card
 * processor and the bank would announce is held back.
 */
export const openProductByHand = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-budget-'));
  const trustFolder = join(simulatorFolder(folder), 'trust');
  const [database, simulatorDatabase, receiver, cardEvents] = await Promise.all([
    openTestDatabase(),
    openSimulatorDatabase(),
    openReceiver(),
    openReceiver(),
  ]);
  const port = await findTestPort();
  const url = `http://127.0.0.1:${port}`;
  const recorded = openRecordedLog();
  const config = readConfig({
    FLORIN_DATA: folder,
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  });
  await copyTrust(trustFolder);
  const simulator = await openSimulatorHere({
    SIMULATOR_DATABASE_URL: simulatorDatabase.url,
    SIMULATOR_TRUST_FOLDER: trustFolder,
    SIMULATOR_REDIRECT_URIS: bankReturnAddresses(url).join(','),
    SIMULATOR_CARDS_WEBHOOK_URLS: cardEvents.url,
  });
  const tools = await openTools(config, database.url, 'test', recorded.log);
  const rails = await openRails(tools, url);
  const api = await openApi(tools, rails, url, { demoSecret: () => null });
  const merchant = await createMerchant(tools, {
    businessName: 'Corner Coffee',
    ownerEmail: 'owner@example.com',
    bankAccounts: testBankAccounts,
  });
  await api.app.listen({ port, host: '127.0.0.1' });
  /** Uncompressed, so that its length depends on nothing of chance. */
  const send = async (
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ) => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return { reply, text };
  };
  const withSecret = { authorization: `Bearer ${merchant.secrets.SANDBOX.secret}` };
  const request: Sandbox['request'] = async (method, path, { body } = {}) => {
    const { reply, text } = await send(method, path, body, withSecret);
    return { status: reply.status, headers: reply.headers, body: JSON.parse(text) };
  };
  const all = { ...tools, ...rails };
  return {
    ...{ url, folder, trustFolder, databaseUrl: database.url, tools, rails, simulator, receiver },
    request,
    /** Without the lines of drawings: those of a code for phones are of chance. */
    bytesOf: async (method: string, path: string, { body, headers = {} }: Sent = {}) =>
      Buffer.byteLength((await send(method, path, body, headers)).text.replace(/ d="[^"]*"/g, '')),
    tenant: { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const,
    payments: paymentJobs(all),
    refunds: refundJobs(all),
    payouts: payoutJobs(all),
    transfers: transferJobs({ ...all, receivers: reportReceivers(tools) }),
    deliver: () => startDispatcher(tools),
    close: async () => {
      await api.close();
      await rails.close();
      await simulator.stop();
      await tools.database.close();
      await Promise.all(
        [database, simulatorDatabase, receiver, cardEvents].map((each) => each.close()),
      );
      await discardFolder(folder);
      recorded.close();
    },
  };
};

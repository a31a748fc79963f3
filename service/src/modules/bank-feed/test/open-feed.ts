import {
  openTestService,
  type TestServiceOptions,
} from '../../../../../test/harness/open-test-service.ts';
import type { ReturnParameters } from '../../../rails/bank-rail.ts';
import type { PayerRail } from '../../../rails/payer-rail.ts';
import { staticBankData } from '../../../rails/static-bank-data.ts';
import { clockRoutes, linkInSandboxRoutes, settingsRoutes } from '../../sandbox/index.ts';
import { bankDataRails } from '../authorisations/data-rails.ts';
import { bankFeedJobs, feedDue } from '../jobs.ts';
import { merchantRoutes, operatorRoutes } from '../routes.ts';
import type { KillableFeed } from './open-killable-feed.ts';
import { scriptedDataBank } from './scripted-data-bank.ts';

const wholeRange = 'from=2020-01-01&before=2030-01-01&page=0&itemsPerPage=100';

/**
 * The bank feed over HTTP, with the bank of static data and two in memory. Production has none, unless
 * told otherwise.
 */
export const openFeed = async (
  options: TestServiceOptions = {},
  { hasProduction = false, hasSimulator = true, killable = immortal } = {},
) => {
  const bank = scriptedDataBank();
  const other = scriptedDataBank('other-bank');
  const now = () => new Date();
  const staticBank = staticBankData({ now }, 'https://pay.example/link-bank/test-bank');
  const rails = bankDataRails(
    {
      SANDBOX: () => [staticBank, bank.rail, other.rail],
      PRODUCTION: () => (hasProduction ? [other.rail] : []),
    },
    { SANDBOX: 'SIMULATOR_TRUST_FOLDER', PRODUCTION: 'PRODUCTION_BANK_RAIL' },
  );
  const more = {
    bankDataRails: rails,
    publicUrl: 'https://pay.example',
    payerRail: hasSimulator ? payerAtScriptedBank : null,
    simulatorSetting: 'SIMULATOR_TRUST_FOLDER',
  };
  const service = await openTestService({
    ...options,
    routes: (tools) => {
      const all = killable.tools({ ...tools, ...more });
      return [
        ...merchantRoutes(all),
        ...operatorRoutes(all),
        ...linkInSandboxRoutes(all),
        ...settingsRoutes(all),
        ...clockRoutes({
          ...all,
          simulatorRail: { advance: async () => undefined, forecast: async () => [] },
          dueSources: [feedDue(all)],
        }),
      ];
    },
  });
  const tools = { ...service.tools, ...more };
  const { request } = service;
  const initiate = (body: object = {}, sent: object = {}) =>
    request('POST', '/api/bank/auth/initiate', {
      body: { redirectUrl: returnUrl, ...body },
      ...sent,
    });
  const link = (id: string, body: object = {}) =>
    request('POST', `/api/sandbox/bank/auth/${id}/link`, { body });
  const initiated = async (body: object = {}): Promise<string> =>
    (await initiate(body)).body.accountAuthId;
  const linked = async (institutionId: string) => {
    const id = await initiated();
    const reply = await link(id, { institutionId });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    const url = new URL(reply.body.redirectUrl);
    const accountIds = (url.searchParams.get('bankAccountIds') ?? '').split(',');
    return { id, url, accountIds, accountId: accountIds[0] ?? '' };
  };
  const rows = <Row>(text: string, values: readonly unknown[] = []) =>
    service.database.system<object, Row>(
      { name: '', text, valueNames: values.map((_, at) => `v${at}`) as never },
      Object.fromEntries(values.map((value, at) => [`v${at}`, value])),
    );
  return {
    ...service,
    tools,
    bank,
    other,
    jobs: bankFeedJobs(tools),
    initiate,
    initiated,
    link,
    linked,
    rows,
    /** Nothing is linked, and the banks in memory are as they were. */
    reset: async () => {
      for (const table of ['transaction', 'transaction_day', 'account_link', 'account'])
        await rows(`delete from bank_${table}`);
      await rows('delete from bank_authorisation');
      for (const each of [bank, other]) each.reset();
    },
    /** Reads all that is linked as if its time had come. */
    refreshAgain: async () => {
      await rows(
        `update bank_authorisation set refresh_due_at = statement_timestamp()
         where refresh_due_at is not null`,
      );
      await rows(`update bank_account set refreshed_at = refreshed_at - interval '7 hours'`);
      return bankFeedJobs(tools).refreshBankAccounts();
    },
    transactions: (accountId: string) =>
      request('GET', `/api/bank/accounts/${accountId}/transactions?${wholeRange}`),
    status: async (id: string): Promise<string> =>
      (await request('GET', `/api/bank/auth/${id}`)).body.status,
    advance: (advanceMs: number) => request('POST', '/api/sandbox/clock', { body: { advanceMs } }),
  };
};

/** The program of the routes lives as long as the test. */
const immortal: Pick<KillableFeed, 'tools'> = { tools: (tools) => tools };

export const returnUrl = 'https://shop.example/linked';

export type Feed = Awaited<ReturnType<typeof openFeed>>;

/** Logs in at the bank in memory, which knows its customer by the state in its address. */
const payerAtScriptedBank: PayerRail = {
  visitBank: async (authorisationUrl, behaviour): Promise<ReturnParameters> => {
    const state = new URL(authorisationUrl).searchParams.get('state') ?? '';
    if (behaviour === 'approve') return { state, code: 'code' };
    return { state, error: behaviour === 'decline' ? 'access_denied' : 'server_error' };
  },
  payByCard: async () => ({ kind: 'CLOSED' }),
};

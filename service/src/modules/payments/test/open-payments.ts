import { noCardRails } from '../../../../../test/harness/no-card-rails.ts';
import {
  openTestService,
  type TestServiceOptions,
} from '../../../../../test/harness/open-test-service.ts';
import { scriptedBank, scriptedBankId } from '../../../../../test/simulation/scripted-bank.ts';
import { seededRandom } from '../../../../../test/simulation/seeded-random.ts';
import type { Route } from '../../../platform/http/route.ts';
import type { Tools } from '../../../platform/tools.ts';
import { clockRoutes, settingsRoutes } from '../../sandbox/index.ts';
import { merchantRoutes as statusRoutes } from '../../status/index.ts';
import { chargeSender } from '../card/charges.ts';
import { bankRails } from '../core/bank-rails.ts';
import { paymentJobs, paymentsDue } from '../jobs.ts';
import { merchantRoutes } from '../routes.ts';

type Options = Omit<TestServiceOptions, 'routes'> & {
  readonly hasProduction?: true;
  readonly routes?: (tools: Tools & Parameters<typeof merchantRoutes>[0]) => readonly Route[];
};

/** Payments over HTTP on a bank in memory; production has no rail, as in the all-in-one start. */
export const openPayments = async (options: Options = {}) => {
  const bank = scriptedBank(seededRandom(7), {
    faultShare: () => 0,
    endsSettled: false,
    maxPence: 10n ** 12n,
  });
  const rails = bankRails(
    { SANDBOX: bank.rail, PRODUCTION: options.hasProduction ? bank.rail : null },
    { SANDBOX: 'SIMULATOR_URL', PRODUCTION: 'PRODUCTION_BANK_RAIL' },
  );
  const service = await openTestService({
    ...options,
    routes: (tools) => {
      const all = {
        ...tools,
        bankRails: rails,
        cardRails: noCardRails,
        chargeSender: chargeSender(tools),
        publicUrl: 'https://pay.example',
      };
      return [
        ...merchantRoutes(all),
        ...statusRoutes(all),
        ...settingsRoutes(all),
        ...clockRoutes({ ...all, dueSources: [paymentsDue(all)] }),
        ...(options.routes?.(all) ?? []),
      ];
    },
  });
  const tools = { ...service.tools, bankRails: rails, cardRails: noCardRails };
  const order = { customerId: 'customer-1', orderId: 'order-1', amount: 12.5 };
  const create = (body: object = {}, sent: object = {}) =>
    service.request('POST', '/api/payments/process-payment', {
      body: { ...order, ...body },
      ...sent,
    });
  const count = async (table: string): Promise<number> => {
    const rows = await service.database.system<object, { rows: number }>(
      {
        name: `count_${table}`,
        text: `select count(*)::int as rows from ${table}`,
        valueNames: [],
      },
      {},
    );
    return rows[0]?.rows ?? 0;
  };
  return {
    ...service,
    tools,
    bank,
    bankId: scriptedBankId,
    jobs: paymentJobs(tools),
    order,
    create,
    count,
    created: async (body: object = {}): Promise<string> =>
      (await create(body)).body.paymentRequestId,
    status: (id: string, sent: object = {}, env = '') =>
      service.request('GET', `/api/payments/v1/payment-status/${id}${env}`, sent),
    cancel: (id: string, sent: object = {}) =>
      service.request('POST', `/api/payment-request/cancel/${id}`, sent),
    advance: (advanceMs: number) =>
      service.request('POST', '/api/sandbox/clock', { body: { advanceMs } }),
    eventsOf: async (id: string): Promise<readonly string[]> => {
      const rows = await service.database.system<object, { event_type: string }>(
        {
          name: 'test_events_of',
          text: 'select event_type from event where resource_id = $1::uuid order by sequence',
          valueNames: ['id' as never],
        },
        { id },
      );
      return rows.map(({ event_type }) => event_type);
    },
  };
};

export type Payments = Awaited<ReturnType<typeof openPayments>>;

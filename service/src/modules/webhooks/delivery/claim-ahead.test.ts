import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeliveryClaim } from '#platform/work-ahead.ts';
import { openReceiver } from '../../../../../test/harness/open-receiver.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { draftOf, emit, emitClaiming } from '../../../../../test/webhooks/emit.ts';
import { merchantRoutes } from '../index.ts';
import { releaseSlots, reserveSlots } from './claim-ahead.ts';
import { endpointsDue, readyEndpoints, requestSlots, rowsClaimed } from './ready-endpoints.ts';
import { startDispatcher } from './start-dispatcher.ts';
import type { ClaimedRow } from './store/queue.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
});
afterAll(() => service.close());

/** A dispatcher that has delivered to the merchant's endpoint once, and what it writes. */
const openDelivery = async () => {
  const receiver = await openReceiver();
  const { merchantId, secrets } = await service.newMerchant();
  const { secret } = secrets.SANDBOX;
  const body = { url: receiver.url, events: ['PAYMENTS_STATUS'] };
  await service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
  const tenant = { merchantId, environment: 'SANDBOX' } as const;
  const { database } = service;
  const claimed: number[] = [];
  const completed: number[] = [];
  const counting: typeof database = {
    ...database,
    system: async (statement, values) => {
      const rows = await database.system(statement, values);
      if (statement.name.startsWith('delivery_claim')) claimed.push(rows.length);
      const { deliveryIds } = values as { readonly deliveryIds?: string };
      if (statement.name.startsWith('delivery_complete') && deliveryIds !== '{}')
        completed.push(String(deliveryIds).split(',').length);
      return rows;
    },
  };
  const dispatcher = startDispatcher({ ...service.tools, database: counting });
  dispatcher.wake(await emit(database, tenant, [draftOf()]));
  await waitUntil(() => completed.length === 1);
  claimed.length = 0;
  completed.length = 0;
  return {
    receiver,
    tenant,
    dispatcher,
    claimed,
    completed,
    emit: (claim: DeliveryClaim) => emitClaiming(database, tenant, draftOf(), claim),
    close: async () => {
      await dispatcher.stop();
      await receiver.close();
    },
  };
};

const need = (claim: DeliveryClaim | null): DeliveryClaim => {
  if (!claim) throw new Error('nothing would be delivered at once');
  return claim;
};

describe('deliveries that are claimed by the statement that emits them', () => {
  test('are delivered without a claim, and their results are written together', async () => {
    const { receiver, tenant, dispatcher, claimed, completed, ...delivery } = await openDelivery();
    for (let each = 0; each < 2; each += 1) {
      const claim = need(dispatcher.claimAhead(tenant, 1));
      claim.deliver(await delivery.emit(claim));
    }
    await waitUntil(() => completed.length > 0);
    expect(receiver.received).toHaveLength(3);
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(
      Array(3).fill('1'),
    );
    expect(claimed.filter((rows) => rows > 0)).toEqual([]);
    expect(completed).toEqual([2]);
    await delivery.close();
  });

  test('are claimed after the lease if the program died', async () => {
    const { receiver, tenant, dispatcher, ...delivery } = await openDelivery();
    const claim = need(dispatcher.claimAhead(tenant, 1));
    await delivery.emit({ ...claim, leaseMs: 1_000 });
    claim.deliver([]);
    await waitUntil(() => receiver.received.length === 2);
    expect(receiver.received[1]?.headers['x-service-attempt']).toBe('2');
    await delivery.close();
  });

  test('are retried at once when they fail', async () => {
    const { receiver, tenant, dispatcher, completed, ...delivery } = await openDelivery();
    receiver.answer((one, reply) => {
      reply.writeHead(one.headers['x-service-attempt'] === '1' ? 500 : 200).end();
    });
    const claim = need(dispatcher.claimAhead(tenant, 1));
    claim.deliver(await delivery.emit(claim));
    await waitUntil(() => receiver.received.length === 3);
    expect(receiver.received[2]?.headers['x-service-attempt']).toBe('2');
    await delivery.close();
  }, 30_000);

  test('are none while the dispatcher stops', async () => {
    const { tenant, dispatcher, receiver } = await openDelivery();
    const stopping = dispatcher.stop();
    expect(dispatcher.claimAhead(tenant, 1)).toBeNull();
    await stopping;
    await receiver.close();
  });
});

describe('slots', () => {
  const tenant = { merchantId: 'merchant', environment: 'SANDBOX' } as const;
  const opened = (rate: number | null = null) => {
    const set = readyEndpoints({ perEndpoint: 2, perTenant: 3, inFlight: 3 });
    const row = { merchant_id: 'merchant', environment: 'SANDBOX', endpoint_id: 'endpoint' };
    const claimed = { ...row, due_at: new Date(0), rate_per_second: rate } as ClaimedRow;
    rowsClaimed(set, [], [claimed], 0);
    releaseSlots(set, ['endpoint'], 1);
    return set;
  };

  test('are taken as far as the endpoint has some, and are released', () => {
    const set = opened();
    expect(reserveSlots(set, tenant, 3)).toEqual([]);
    expect(reserveSlots(set, tenant, 2)).toEqual(['endpoint']);
    expect(reserveSlots(set, tenant, 1)).toEqual([]);
    releaseSlots(set, ['endpoint'], 2);
    expect(set.inFlight).toBe(0);
    endpointsDue(set, ['endpoint'], 0);
    expect(requestSlots(set, 0)).toMatchObject([{ endpointId: 'endpoint', slots: 2 }]);
  });

  test('are none for another tenant, behind a backlog, under a rate limit or after a failure', () => {
    expect(reserveSlots(opened(), { ...tenant, environment: 'PRODUCTION' }, 1)).toEqual([]);
    const waiting = opened();
    endpointsDue(waiting, ['endpoint'], 0);
    expect(reserveSlots(waiting, tenant, 1)).toEqual([]);
    expect(reserveSlots(opened(5), tenant, 1)).toEqual([]);
    const failing = opened();
    Object.assign(failing.endpoints.get('endpoint') ?? {}, { failuresInARow: 1 });
    expect(reserveSlots(failing, tenant, 1)).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventTypes } from '../../../../../contract/index.ts';
import { openReceiver, type Receiver } from '../../../../../test/harness/open-receiver.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { emitMany } from '../../../../../test/webhooks/emit.ts';
import { type Dispatcher, merchantRoutes, startDispatcher } from '../index.ts';

const endpointsPerEvent = 3;
const slotsPerEndpoint = 8;
// 9 endpoints of 8 slots; what is left of the half of all 256; a share where half is taken.
const slotsTaken = [72, 56, 16, 16];

let service: TestService;
let dispatcher: Dispatcher;
let hanging: Receiver;
let healthy: Receiver;

beforeAll(async () => {
  service = await openTestService({ routes: merchantRoutes });
  [hanging, healthy] = await Promise.all([openReceiver(() => undefined), openReceiver()]);
  dispatcher = startDispatcher(service.tools);
});

afterAll(async () => {
  await Promise.all([hanging.close(), healthy.close()]);
  await dispatcher.stop();
  await service.close();
});

// That of the till needs a signing secret first.
const events = eventTypes.filter((each) => each !== 'POS_PAYMENT_STATUS');

/** A merchant with every endpoint that it may have, and more events than each may be sent at once. */
const subscribeAll = async (): Promise<string> => {
  const merchant = await service.newMerchant();
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  for (const event of events)
    for (let each = 0; each < endpointsPerEvent; each += 1)
      await service.request('POST', '/api/webhook/v2/endpoints', {
        secret: merchant.secrets.SANDBOX.secret,
        body: { url: `${hanging.url}/${merchant.merchantId}`, events: [event] },
      });
  for (const event of events)
    dispatcher.wake(await emitMany(service.database, tenant, slotsPerEndpoint + 1, event));
  return merchant.merchantId;
};

const receivedOf = (merchantId: string): number =>
  hanging.received.filter(({ path }) => path.endsWith(merchantId)).length;

test('merchants whose every endpoint hangs take no slot that another needs', async () => {
  const taken: (readonly [merchantId: string, slots: number])[] = [];
  for (const slots of slotsTaken) {
    const merchantId = await subscribeAll();
    taken.push([merchantId, slots]);
    await waitUntil(() => receivedOf(merchantId) === slots);
  }
  const merchant = await service.newMerchant();
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  await service.request('POST', '/api/webhook/v2/endpoints', {
    secret: merchant.secrets.SANDBOX.secret,
    body: { url: healthy.url, events: ['PAYMENTS_STATUS'] },
  });
  for (let each = 1; each <= 20; each += 1) {
    dispatcher.wake(await emitMany(service.database, tenant, 1));
    await waitUntil(() => healthy.received.length === each, { everyMs: 2 });
  }
  // They all still hang on their first attempts.
  expect(taken.map(([merchantId]) => receivedOf(merchantId))).toEqual(slotsTaken);
});

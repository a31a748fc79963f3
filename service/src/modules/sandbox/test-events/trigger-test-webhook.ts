import { type EventType, failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { eventsValue } from '#modules/events/index.ts';
import { findStore, readMerchant } from '#modules/merchants/index.ts';
import type { Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { checkTest, type TestRequest } from './check-test.ts';
import { emitTestEvent, readTenantTime } from './store.ts';
import { testEventBody } from './test-event-body.ts';

/** An event like a real one, through the same tables, signature and schedule. */
export const triggerTestWebhook = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  { tenant, secretId }: Caller,
  request: TestRequest,
) => {
  const { database, ids } = tools;
  const test = checkTest(request);
  const [merchant, store, [time]] = await Promise.all([
    readMerchant(tools, tenant),
    findStore(tools, tenant, null),
    database.tenant(tenant.merchantId, readTenantTime, tenant),
  ]);
  if (!time) throw new Error('the database gave no time');
  const resourceId = ids.uuid();
  const body = testEventBody(test, {
    merchantId: tenant.merchantId,
    merchantName: merchant.businessName,
    store,
    now: time.now,
    resourceId,
    consumerId: ids.uuid(),
    paymentRequestId: test.shape === 'REFUND_STATUS' ? ids.uuid() : resourceId,
    paymentIdempotencyId: `TEST${ids.token(130)}`,
  });
  const draft = {
    eventId: ids.uuid(),
    eventType: request.eventType,
    resourceId,
    sequence: 1,
    dedupeKey: 'test',
    signingSecretId: secretId,
    isTest: true,
    occurredAt: time.now,
    body,
  };
  const values = { ...tenant, eventType: request.eventType, events: eventsValue([draft]) };
  const [emitted] = await database.tenant(tenant.merchantId, emitTestEvent, values);
  if (!emitted) throw noSubscription(request.eventType);
  tools.wakeDispatcher(emitted.endpoints);
  return { message: 'Test webhook triggered successfully.' };
};

const noSubscription = (eventType: EventType): Failure => {
  const message = `eventType ${eventType} has no active webhook: subscribe to it first`;
  const errors = [{ field: 'eventType', message }];
  return new Failure(failures.badRequest, { message: `${message}.`, errors });
};

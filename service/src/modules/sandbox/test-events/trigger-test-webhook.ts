import { type EventType, failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { eventsValue } from '#modules/events/index.ts';
import { findStore, readMerchant } from '#modules/merchants/index.ts';
import type { Caller, DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/begin-once.ts';
import type { Uses } from '#platform/tools.ts';
import { checkTest, type TestRequest } from './check-test.ts';
import { emitTestEvent, findEvent, readTenantTime } from './store.ts';
import { testEventBody } from './test-event-body.ts';

/** An event like a real one, through the same tables, signature and schedule. */
export const triggerTestWebhook = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  { tenant, secretId }: Caller,
  request: TestRequest,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  const { database, ids } = tools;
  const test = checkTest(request);
  const [merchant, store, [time]] = await Promise.all([
    readMerchant(tools, tenant),
    findStore(tools, tenant, null),
    database.tenant(tenant.merchantId, readTenantTime, tenant),
  ]);
  if (!time) throw new Error('the database gave no time');
  const begun = await beginOnce(tools, decideOnce, async () => ids.uuid());
  const eventId = begun.subject;
  const key = { ...tenant, eventId };
  if (begun.isRepeat && (await database.tenant(tenant.merchantId, findEvent, key)).length > 0)
    return triggered;
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
    eventId,
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
  return triggered;
};

const triggered = { message: 'Test webhook triggered successfully.' };

const noSubscription = (eventType: EventType): Failure => {
  const message = `eventType ${eventType} has no active webhook: subscribe to it first`;
  const errors = [{ field: 'eventType', message }];
  return new Failure(failures.badRequest, { message: `${message}.`, errors });
};

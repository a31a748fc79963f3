import { type BodyOf, failures, limits, type replayWebhooks as operation } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { noDelivery } from './get-webhook-delivery.ts';
import { requireEndpoint } from './get-webhook-endpoint.ts';
import { insertReplays } from './store/log.ts';

type Asked = BodyOf<typeof operation>;

export const replayWebhooks = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  endpointId: string,
  asked: Asked,
) => {
  const isSingle = checkFilter(asked);
  await requireEndpoint(tools, tenant, endpointId, 'ACTIVE');
  const [made] = await tools.database.tenant(tenant.merchantId, insertReplays, {
    ...tenant,
    ...filterOf(asked),
    endpointId,
    most: limits.webhookReplayMost,
    perSecond: asked.perSecond ?? limits.webhookReplayPerSecond,
  });
  if (!made) throw new Error('no answer about replays');
  if (isSingle && made.found === 0n) throw noDelivery();
  if (isSingle && made.replayed === 0n) throw stillPending();
  tools.wakeDispatcher([endpointId]);
  const isFull = Number(made.found) === limits.webhookReplayMost;
  return { scheduled: Number(made.replayed), nextAfter: isFull ? made.last : null };
};

const filterOf = (asked: Asked) => ({
  deliveryId: asked.deliveryId ?? null,
  eventId: asked.eventId ?? null,
  from: asked.from ?? null,
  to: asked.to ?? null,
  onlyFailed: asked.onlyFailed ?? false,
  after: asked.after ?? null,
});

/** True for one delivery or event; a range, or all that failed, otherwise. */
const checkFilter = (asked: Asked): boolean => {
  const isSingle = asked.deliveryId !== undefined || asked.eventId !== undefined;
  const isRange = asked.from !== undefined || asked.to !== undefined || asked.onlyFailed === true;
  if (isSingle === isRange)
    throw refusal('body', 'Name a deliveryId, an eventId, or from, to or onlyFailed');
  return isSingle;
};

const refusal = (field: string, message: string): Failure =>
  new Failure(failures.badRequest, { message: `${message}.`, errors: [{ field, message }] });

const stillPending = (): Failure =>
  new Failure(failures.conflict, { message: 'This event is still on its way to the endpoint.' });

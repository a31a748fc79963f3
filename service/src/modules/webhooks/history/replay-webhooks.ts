import {
  type BodyOf,
  failures,
  limits,
  type replayWebhooks as operation,
  type ReplyOf,
} from '@florin/contract';
import type { getMissedEvents } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { requireEndpoint } from '../endpoints/endpoint.ts';
import { noDelivery } from './deliveries.ts';
import { startOfEvents } from './list-webhook-events.ts';
import {
  countRange,
  type Replayed,
  readFirstMissed,
  readLastDelivery,
  replayOne,
  replayRange,
} from './store/replays.ts';

type Input = BodyOf<typeof operation>;
type ReplayTools = Uses<'database' | 'ids' | 'wakeDispatcher'>;

const eventsRead = 20_000;
const newest = '9223372036854775807';

export const replayWebhooks = async (
  tools: ReplayTools,
  tenant: Tenant,
  endpointId: string,
  input: Input,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  const isSingle = checkFilter(input);
  const start = startOfEvents(input.after);
  await requireEndpoint(tools, tenant, endpointId, 'ACTIVE');
  const call = tools.database.tenant;
  const { subject, isRepeat } = await beginOnce(tools, decideOnce, async () => {
    const [last] = await call(tenant.merchantId, readLastDelivery, { ...tenant, endpointId });
    return last?.delivery_id ?? '0';
  });
  const values = {
    ...tenant,
    endpointId,
    perSecond: input.perSecond ?? limits.webhookReplayPerSecond,
    // A repeat sees what was there when its key was first used: what came after is its own.
    upTo: isRepeat ? subject : newest,
  };
  const [made] = isSingle
    ? await call(tenant.merchantId, replayOne, { ...values, ...oneOf(input) })
    : await call(tenant.merchantId, replayRange, { ...values, ...start, ...rangeOf(input) });
  if (!made) throw new Error('the replay statement answered no row');
  if (isSingle) requireMade(made);
  tools.wakeDispatcher([endpointId]);
  return { scheduled: Number(made.replayed), nextAfter: made.next };
};

/** DASHBOARD-45. What came before its first failure or pause was never meant for the endpoint. */
export const countMissed = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  endpointId: string,
): Promise<ReplyOf<typeof getMissedEvents>> => {
  const key = { ...tenant, endpointId };
  const [first] = await database.tenant(tenant.merchantId, readFirstMissed, key);
  if (!first) throw new Failure(failures.notFound);
  if (first.since === null) return { count: 0, since: null, isWhole: true };
  const range = rangeOf({ from: first.since.toISOString(), onlyMissed: true });
  const values = { ...key, ...startOfEvents(undefined), ...range, upTo: newest };
  const [missed] = await database.tenant(tenant.merchantId, countRange, values);
  if (!missed) throw new Error('the count answered no row');
  const { count, since, is_whole: isWhole } = missed;
  return { count, since: since?.toISOString() ?? null, isWhole };
};

const requireMade = ({ found, replayed }: Replayed): void => {
  if (found === 0n) throw noDelivery();
  if (replayed === 0n) throw stillPending();
};

const oneOf = ({ deliveryId, eventId }: Input) => ({
  deliveryId: deliveryId ?? null,
  eventId: eventId ?? null,
});

const rangeOf = (input: Input) => ({
  from: instantOf('from', input.from),
  to: instantOf('to', input.to),
  states: statesOf(input),
  read: eventsRead,
  limit: limits.webhookReplayMax,
});

/** The format allows more than a calendar holds: a year 0, a leap second, zones of a day. */
const instantOf = (field: string, text: string | undefined): string | null => {
  if (text === undefined) return null;
  const time = Date.parse(text);
  if (!(time >= earliest)) throw refusal(field, `${field} must be a moment since the year 1`);
  return new Date(time).toISOString();
};

const earliest = Date.parse('0001-01-01T00:00:00Z');

const statesOf = ({ onlyFailed, onlyMissed }: Input): readonly string[] | null => {
  if (onlyFailed) return ['EXHAUSTED'];
  return onlyMissed ? ['EXHAUSTED', 'CANCELLED', 'NONE'] : null;
};

const whatToName =
  'Name one deliveryId, or one eventId, or a range by from, to, after, onlyFailed or onlyMissed';

/** True for one delivery or event; a range, or all that failed or was missed, otherwise. */
const checkFilter = (input: Input): boolean => {
  const isOne = input.deliveryId !== undefined;
  const isSingle = isOne || input.eventId !== undefined;
  const { from, to, onlyFailed, onlyMissed, after } = input;
  const isRange = [from, to, after].some((named) => named !== undefined);
  const isChosen = onlyFailed === true || onlyMissed === true;
  if (isSingle === (isRange || isChosen) || (isOne && input.eventId !== undefined))
    throw refusal('body', whatToName);
  if (onlyFailed && onlyMissed)
    throw refusal('onlyMissed', 'onlyMissed holds what onlyFailed asks for: name one of them');
  return isSingle;
};

const refusal = (field: string, message: string): Failure =>
  badField(field, message, `${message}.`);

const stillPending = (): Failure =>
  new Failure(failures.conflict, { message: 'This event is still on its way to the endpoint.' });

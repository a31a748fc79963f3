import type { listWebhookEvents as operation, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { type FeedRow, readEvents, readFeedEnd } from './store/log.ts';

export type FeedCursor = { readonly writtenIn: string; readonly eventId: string };
export type FeedEvent = ReplyOf<typeof operation>['data'][number];

const firstEventId = '00000000-0000-0000-0000-000000000000';
const start: FeedCursor = { writtenIn: '0', eventId: firstEventId };

export const listWebhookEvents = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<ReplyOf<typeof operation>> => {
  const cursor = await cursorOf(tools, tenant, after);
  const data = await eventsAfter(tools, tenant, cursor, limit);
  return { data, cursor: data.at(-1)?.cursor ?? cursorText(cursor) };
};

export const eventsAfter = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  cursor: FeedCursor,
  limit: number,
): Promise<FeedEvent[]> => {
  const values = { ...tenant, ...cursor, limit };
  return (await tools.database.tenant(tenant.merchantId, readEvents, values)).map(feedEvent);
};

/** Empty: from the start. `now`: only future events. */
export const cursorOf = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  text: string | undefined,
): Promise<FeedCursor> => {
  if (text !== 'now') return startOfEvents(text);
  const [end] = await tools.database.tenant(tenant.merchantId, readFeedEnd, tenant);
  return end ? { writtenIn: end.written_in, eventId: end.event_id } : start;
};

export const startOfEvents = (text: string | undefined): FeedCursor =>
  text === undefined || text === '' ? start : readCursor(text);

const cursorText = ({ writtenIn, eventId }: FeedCursor): string => `${writtenIn}.${eventId}`;

const cursorPattern = /^(\d{1,19})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const readCursor = (text: string): FeedCursor => {
  const [, writtenIn, eventId] = cursorPattern.exec(text) ?? [];
  if (writtenIn !== undefined && eventId !== undefined) return { writtenIn, eventId };
  const message = 'after is not a cursor of this feed';
  throw badField('after', message, `${message}.`);
};

const feedEvent = (row: FeedRow): FeedEvent => ({
  cursor: cursorText({ writtenIn: row.written_in, eventId: row.event_id }),
  eventId: row.event_id,
  eventType: row.event_type,
  resourceId: row.resource_id,
  sequence: row.sequence,
  isTest: row.is_test,
  occurredAt: row.occurred_at.toISOString(),
  data: JSON.parse(row.body ?? '{}'),
});

import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listEvents as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { type DeskEventRow, listNewestEvents, listResourceEvents } from './store/read-events.ts';

const maxRead = 2_000;
const end = ['9223372036854775807', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

export const listEvents = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { eventType, resourceId, before, limit }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const { merchantId } = tenant;
  if (resourceId) {
    const values = { ...tenant, resourceId, limit };
    const rows = await database.tenant(merchantId, listResourceEvents, values);
    const wanted = rows.filter((row) => eventType === undefined || row.event_type === eventType);
    return { data: wanted.map(shown), nextBefore: null };
  }
  const [beforeIn = end[0], beforeId = end[1]] = before?.split('.') ?? end;
  const rows = await database.tenant(merchantId, listNewestEvents, {
    ...tenant,
    eventType: eventType ?? null,
    beforeIn,
    beforeId,
    read: maxRead,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit || rows[0]?.is_whole === false;
  const last = page.at(-1);
  return {
    data: page.filter(({ matches }) => matches).map(shown),
    nextBefore: hasMore && last ? `${last.written_in}.${last.event_id}` : null,
  };
};

const shown = (row: DeskEventRow) => ({
  eventId: row.event_id,
  eventType: row.event_type,
  resourceId: row.resource_id,
  sequence: row.sequence,
  isTest: row.is_test,
  occurredAt: row.occurred_at.toISOString(),
  data: JSON.parse(row.body ?? '{}'),
  deliveries: {
    total: row.total,
    delivered: row.delivered,
    pending: row.pending,
    failed: row.failed,
  },
});

import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listDeliveries as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { deliveryView } from '#modules/webhooks/index.ts';
import type { Uses } from '#platform/tools.ts';
import { explainDelivery } from './explain-delivery.ts';
import {
  type DeskDeliveryRow,
  listAllDeliveries,
  listFailingDeliveries,
  listResourceDeliveries,
} from './store/read-deliveries.ts';

const maxRead = 2_000;
const failing: readonly (string | undefined)[] = ['FAILING', 'EXHAUSTED'];

/** DESK-5: of all endpoints, with why each failed. */
export const listDeliveries = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  { endpointId, state, eventType, resourceId, before, limit }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const { merchantId } = tenant;
  if (resourceId) {
    const values = { ...tenant, resourceId, limit };
    const rows = await database.tenant(merchantId, listResourceDeliveries, values);
    return { data: rows.map(shown), nextBefore: null };
  }
  const list = failing.includes(state) ? listFailingDeliveries : listAllDeliveries;
  const rows = await database.tenant(merchantId, list, {
    ...tenant,
    endpointId: endpointId ?? null,
    states: state === undefined || state === 'FAILING' ? null : [state],
    eventType: eventType ?? null,
    before: before ?? null,
    read: maxRead,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit || rows[0]?.is_whole === false;
  const end = page.at(-1);
  return {
    data: page.filter(({ matches }) => matches).map(shown),
    nextBefore: hasMore && end ? String(end.delivery_id) : null,
  };
};

const shown = (row: DeskDeliveryRow) => ({
  ...deliveryView(row),
  url: row.url,
  why: explainDelivery({ outcome: row.last_error, status: row.last_status }),
});

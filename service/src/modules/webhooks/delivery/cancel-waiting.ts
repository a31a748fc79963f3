import type { Uses } from '#platform/tools.ts';
import { cancelWaiting as cancel } from './store/cancel-waiting.ts';
import type { ClaimedRow } from './store/queue.ts';

const chunk = 1_000;

/** A claim that met an endpoint which is closed: what waits there is not claimed one by one. */
export const cancelWaiting = async (
  { database }: Uses<'database'>,
  rows: readonly ClaimedRow[],
): Promise<void> => {
  const endpoints = closedEndpoints(rows);
  if (endpoints.length === 0) return;
  await database.system(cancel, {
    merchantIds: endpoints.map((row) => row.merchant_id),
    environments: endpoints.map((row) => row.environment),
    endpointIds: endpoints.map((row) => row.endpoint_id),
    limit: chunk,
  });
};

/** One row of each endpoint that is deleted or paused. */
export const closedEndpoints = (rows: readonly ClaimedRow[]): readonly ClaimedRow[] => {
  const closed = rows.filter((row) => row.endpoint_is_deleted || row.endpoint_is_paused);
  return [...new Map(closed.map((row) => [row.endpoint_id, row])).values()];
};

// With the event's id both indexes that a planner may take, also one that believes a new partition to be
// empty, lead to the one row.
const columns = [
  ...['merchant_id', 'environment', 'endpoint_id', 'delivery_id', 'event_written_at'],
  'event_id',
];

/** Finds one delivery; `event_written_at` names the partition it lies in. */
export const deliveryKey = (alias: string): string =>
  columns.map((column) => `${alias}.${column}`).join(', ');

export const isSameDelivery = (one: string, other: string): string =>
  columns.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ');

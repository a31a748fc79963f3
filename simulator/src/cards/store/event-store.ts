import type { Pool } from '#simulator/store/open-pool.ts';

export type EventStore = {
  find(id: string): Promise<string | undefined>;
  list(query: EventQuery): Promise<readonly string[]>;
  // Claims due events until the lease ends: a process that dies in between loses nothing.
  takeDue(now: number, leaseMs: number, maxDeliveries: number): Promise<readonly Delivery[]>;
  delivered(delivery: Delivery): Promise<void>;
  failed(delivery: Delivery, nextAt: number, status: number | null): Promise<void>;
  sweep(before: number): Promise<void>;
};

export type Delivery = {
  readonly eventId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly body: string;
  readonly attempts: number;
};

type EventQuery = {
  readonly types: readonly string[] | undefined;
  readonly createdFrom?: number;
  readonly createdBefore?: number;
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly limit: number;
};

export const eventStore = (pool: Pool): EventStore => ({
  find: async (id) => {
    const { rows } = await pool.query<{ body: string }>(selectOne, [id]);
    return rows[0]?.body;
  },
  list: async (query) => {
    const isBackwards = query.before !== undefined;
    const text = `${selectSome} order by seq ${isBackwards ? 'asc' : 'desc'} limit $6`;
    const time = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));
    const { rows } = await pool.query<{ body: string }>(text, [
      query.types ?? null,
      time(query.createdFrom),
      time(query.createdBefore),
      query.after ?? null,
      query.before ?? null,
      query.limit,
    ]);
    const bodies = rows.map(({ body }) => body);
    return isBackwards ? bodies.toReversed() : bodies;
  },
  takeDue: async (now, leaseMs, maxDeliveries) => {
    const values = [new Date(now), new Date(now + leaseMs), maxDeliveries];
    const { rows } = await pool.query<DeliveryRow>({ name: 'card-due', text: takeDue }, values);
    return rows.map(deliveryOf);
  },
  delivered: async ({ eventId, endpointId }) => {
    await pool.query(deleteDelivery, [eventId, endpointId]);
  },
  failed: async ({ eventId, endpointId }, nextAt, status) => {
    await pool.query(postpone, [eventId, endpointId, new Date(nextAt), status]);
  },
  sweep: async (before) => {
    const values = [new Date(before)];
    await pool.query('delete from simulator.card_key where created_at < $1', values);
  },
});

type DeliveryRow = {
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly body: string;
  readonly attempts: number;
};

const deliveryOf = (row: DeliveryRow): Delivery => {
  const { event_id: eventId, endpoint_id: endpointId, url, body, attempts } = row;
  return { eventId, endpointId, url, body, attempts };
};

const selectOne = 'select body from simulator.card_event where id = $1';

const selectSome = `
  select body from simulator.card_event
  where ($1::text[] is null or type = any($1))
    and ($2::timestamptz is null or created_at >= $2)
    and ($3::timestamptz is null or created_at < $3)
    and ($4::text is null or seq < (select seq from simulator.card_event where id = $4))
    and ($5::text is null or seq > (select seq from simulator.card_event where id = $5))`;

const takeDue = `
  with due as (
    select event_id, endpoint_id from simulator.card_delivery
    where next_at <= $1 order by next_at limit $3 for update skip locked
  )
  update simulator.card_delivery as delivery set next_at = $2
  from due, simulator.card_event as event, simulator.card_record as endpoint
  where delivery.event_id = due.event_id and delivery.endpoint_id = due.endpoint_id
    and event.id = due.event_id and endpoint.id = due.endpoint_id
  returning delivery.event_id, delivery.endpoint_id, endpoint.document ->> 'url' as url,
    event.body, delivery.attempts`;

const deleteDelivery =
  'delete from simulator.card_delivery where event_id = $1 and endpoint_id = $2';

const postpone = `
  update simulator.card_delivery set attempts = attempts + 1, next_at = $3, last_status = $4
  where event_id = $1 and endpoint_id = $2`;

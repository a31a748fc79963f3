import type { Connection } from '#simulator/store/database.ts';

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

type Body = { readonly body: string };

export type EventStore = ReturnType<typeof eventStore>;

export const eventStore = (database: Connection) => ({
  find: async (id: string) => (await database.row<Body>(selectOne, id))?.body,
  list: async (query: EventQuery): Promise<readonly string[]> => {
    const isBackwards = query.before !== undefined;
    const time = (ms: number | undefined) => ms && new Date(ms);
    const rows = await database.rows<Body>(
      `${selectSome} order by seq ${isBackwards ? 'asc' : 'desc'} limit $6`,
      ...[query.types, time(query.createdFrom), time(query.createdBefore)],
      ...[query.after, query.before, query.limit],
    );
    const bodies = rows.map(({ body }) => body);
    return isBackwards ? bodies.toReversed() : bodies;
  },
  // Claims due events until the lease ends: a process that dies in between loses nothing.
  takeDue: (now: number, leaseMs: number, maxDeliveries: number) =>
    database.rows<Delivery>(takeDue, new Date(now), new Date(now + leaseMs), maxDeliveries),
  delivered: ({ eventId, endpointId }: Delivery) =>
    database.change(deleteDelivery, eventId, endpointId),
  failed: ({ eventId, endpointId }: Delivery, nextAt: number, status: number | undefined) =>
    database.change(postpone, eventId, endpointId, new Date(nextAt), status),
  sweep: (before: number) =>
    database.change('delete from simulator.card_key where created_at < $1', new Date(before)),
});

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

import type { Subscription, SubscriptionStore } from '#simulator/bank/ports.ts';
import type { Outbox, Outgoing } from '#simulator/deliver-due.ts';
import type { Pool } from './open-pool.ts';

export const subscriptionStore = (pool: Pool): SubscriptionStore => ({
  createSubscription: async (subscription) =>
    (await pool.query(insert, valuesOf(subscription))).rowCount === 1,
  findSubscription: async (bankId, clientId) => {
    const { rows } = await pool.query<SubscriptionRow>(select, [bankId, clientId]);
    return rows[0] && subscriptionOf(rows[0]);
  },
  replaceSubscription: async (subscription) =>
    (await pool.query(update, valuesOf(subscription))).rowCount === 1,
  deleteSubscription: async (bankId, clientId, id) =>
    (await pool.query(remove, [bankId, id, clientId])).rowCount === 1,
});

const valuesOf = ({ bankId, id, clientId, version, callbackUrl, eventTypes }: Subscription) => [
  ...[bankId, id, clientId, version],
  ...[callbackUrl ?? null, eventTypes ?? null],
];

const insert = `
  insert into simulator.event_subscription
    (bank_id, id, client_id, version, callback_url, event_types)
  values ($1, $2, $3, $4, $5, $6)
  on conflict do nothing`;

const select = 'select * from simulator.event_subscription where bank_id = $1 and client_id = $2';

const update = `
  update simulator.event_subscription set version = $4, callback_url = $5, event_types = $6
  where bank_id = $1 and id = $2 and client_id = $3`;

const remove = `
  delete from simulator.event_subscription where bank_id = $1 and id = $2 and client_id = $3`;

type SubscriptionRow = {
  readonly bank_id: string;
  readonly id: string;
  readonly client_id: string;
  readonly version: string;
  readonly callback_url: string | null;
  readonly event_types: readonly string[] | null;
};

const subscriptionOf = (row: SubscriptionRow): Subscription => ({
  bankId: row.bank_id,
  id: row.id,
  clientId: row.client_id,
  version: row.version,
  callbackUrl: row.callback_url ?? undefined,
  eventTypes: row.event_types ?? undefined,
});

export const resourceUpdate = 'urn:uk:org:openbanking:events:resource-update';
const consentRevoked = 'urn:uk:org:openbanking:events:consent-authorization-revoked';

export type Notification = Outgoing & {
  readonly id: string;
  readonly bankId: string;
  readonly clientId: string;
  readonly version: string;
  readonly event: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly occursAt: number;
};

// A part of the statement that makes the change: `changed` names who was told of it, and when.
export const planNotifications = (
  changed: string,
  event: string,
  resourceType: 'domestic-payment' | 'account-access-consent',
): string => `
  insert into simulator.event_notification (id, bank_id, subscription_id, consent_id, event,
    resource_type, resource_id, occurs_at, next_at)
  select gen_random_uuid()::text, s.bank_id, s.id, c.consent_id, '${event}', '${resourceType}',
    c.resource_id, c.at, c.at
  from (${changed}) c join simulator.event_subscription s
    on s.bank_id = c.bank_id and s.client_id = c.client_id
  where s.callback_url is not null
    and (s.event_types is null or '${event}' = any(s.event_types))`;

// Revokes consents and tells their clients; answers a row for each.
export const revoking = (update: string): string => `
  with revoked as (
    ${update}
    returning bank_id, client_id, id, status_updated_at
  ), notified as (${planNotifications(
    `select bank_id, client_id, id as consent_id, id as resource_id, status_updated_at as at
      from revoked`,
    consentRevoked,
    'account-access-consent',
  )}
  )
  select id from revoked`;

// The clock of a consent was moved: what is planned for it comes sooner.
export const hurryNotifications = `
  update simulator.event_notification
  set next_at = next_at - $2 * interval '1 millisecond',
    occurs_at = occurs_at - $2 * interval '1 millisecond'
  where consent_id = any($1::text[]) and attempts = 0`;

export const notificationStore = (pool: Pool): Outbox<Notification> => ({
  takeDue: async (now, leaseMs, maxDeliveries) => {
    const values = [new Date(now), new Date(now + leaseMs), maxDeliveries];
    const query = { name: 'event-notifications-due', text: takeDue };
    const { rows } = await pool.query<NotificationRow>(query, values);
    return rows.map(notificationOf);
  },
  delivered: async ({ id }) => {
    await pool.query('delete from simulator.event_notification where id = $1', [id]);
  },
  failed: async ({ id }, nextAt, status) => {
    await pool.query(postpone, [id, new Date(nextAt), status]);
  },
});

const takeDue = `
  with due as (
    select id from simulator.event_notification
    where next_at <= $1 order by next_at limit $3 for update skip locked
  )
  update simulator.event_notification as n set next_at = $2
  from due, simulator.event_subscription as s
  where n.id = due.id and s.bank_id = n.bank_id and s.id = n.subscription_id
  returning n.id, n.bank_id, s.client_id, s.version, s.callback_url, n.event, n.resource_type,
    n.resource_id, n.occurs_at, n.attempts`;

const postpone = `
  update simulator.event_notification
  set attempts = attempts + 1, next_at = $2, last_status = $3 where id = $1`;

type NotificationRow = {
  readonly id: string;
  readonly bank_id: string;
  readonly client_id: string;
  readonly version: string;
  readonly callback_url: string | null;
  readonly event: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly occurs_at: Date;
  readonly attempts: number;
};

const notificationOf = (row: NotificationRow): Notification => ({
  id: row.id,
  bankId: row.bank_id,
  clientId: row.client_id,
  version: row.version,
  url: `${row.callback_url?.replace(/\/+$/, '') ?? ''}/event-notifications`,
  event: row.event,
  resourceType: row.resource_type,
  resourceId: row.resource_id,
  occursAt: row.occurs_at.getTime(),
  attempts: row.attempts,
});

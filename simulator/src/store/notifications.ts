import type { Subscription } from '#simulator/bank/model.ts';
import type { Outbox, Outgoing } from '#simulator/deliver-due.ts';
import type { Connection } from './database.ts';

export const subscriptionStore = (database: Connection) => ({
  // False when the client has one at this bank.
  createSubscription: async (subscription: Subscription): Promise<boolean> =>
    (await database.change(insert, ...valuesOf(subscription))) === 1,
  findSubscription: (bankId: string, clientId: string) =>
    database.row<Subscription>(select, bankId, clientId),
  // These two answer false when there is none with this id.
  replaceSubscription: async (subscription: Subscription): Promise<boolean> =>
    (await database.change(update, ...valuesOf(subscription))) === 1,
  deleteSubscription: async (bankId: string, clientId: string, id: string): Promise<boolean> =>
    (await database.change(remove, bankId, id, clientId)) === 1,
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

export const notificationStore = (database: Connection): Outbox<Notification> => ({
  takeDue: (now, leaseMs, maxDeliveries) =>
    database.rows(takeDue, new Date(now), new Date(now + leaseMs), maxDeliveries),
  delivered: ({ id }) =>
    database.change('delete from simulator.event_notification where id = $1', id),
  failed: ({ id }, nextAt, status) => database.change(postpone, id, new Date(nextAt), status),
});

const takeDue = `
  with due as (
    select id from simulator.event_notification
    where next_at <= $1 order by next_at limit $3 for update skip locked
  )
  update simulator.event_notification as n set next_at = $2
  from due, simulator.event_subscription as s
  where n.id = due.id and s.bank_id = n.bank_id and s.id = n.subscription_id
  returning n.id, n.bank_id, s.client_id, s.version, n.event, n.resource_type, n.resource_id,
    n.occurs_at, n.attempts, rtrim(s.callback_url, '/') || '/event-notifications' as url`;

const postpone = `
  update simulator.event_notification
  set attempts = attempts + 1, next_at = $2, last_status = $3 where id = $1`;

import type { Subscription, SubscriptionStore } from '#simulator/bank/ports.ts';
import type { Pool } from './open-pool.ts';

export const subscriptionStore = (pool: Pool): SubscriptionStore => ({
  createSubscription: async (subscription) =>
    (await pool.query(insert, valuesOf(subscription))).rowCount === 1,
  findSubscription: async (bankId, clientId) => {
    const { rows } = await pool.query<Row>(select, [bankId, clientId]);
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

type Row = {
  readonly bank_id: string;
  readonly id: string;
  readonly client_id: string;
  readonly version: string;
  readonly callback_url: string | null;
  readonly event_types: readonly string[] | null;
};

const subscriptionOf = (row: Row): Subscription => ({
  bankId: row.bank_id,
  id: row.id,
  clientId: row.client_id,
  version: row.version,
  callbackUrl: row.callback_url ?? undefined,
  eventTypes: row.event_types ?? undefined,
});

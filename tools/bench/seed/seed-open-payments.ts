import { fillTables } from './fill-tables.ts';
import type { SeedOrder } from './seed-payments.ts';

const tables = ['payment_request', 'attempt', 'attempt_poll'];
const later = `now() + interval '1 day' + random() * interval '9 days'`;

/**
 * Open requests, of which nothing is due today: a third waits for a payer at a bank, a third is polled,
 * and the attempts of the others have failed.
 */
export const seedOpenPayments = (order: SeedOrder): Promise<void> =>
  fillTables({ url: order.url, tables, analysed: tables, statements: statements(order) });

const statements = ({ merchantId, secretId, storeId, rows }: SeedOrder): readonly string[] => {
  const tenant = `'${merchantId}'::uuid, 'SANDBOX'`;
  return [
    `create temporary table drawn as
     select i, i % 3 as kind, gen_random_uuid() as id, now() - random() * interval '1 day' as at,
       100 + (random() * 20000)::bigint as pence, ${later} as expires_at, ${later} as polled_at
     from generate_series(1, ${rows}) i`,
    `insert into payment_request (merchant_id, environment, payment_request_id, status,
       merchant_customer_reference, order_id, amount_pence, store_id, secret_id, expires_in_ms,
       expires_business_at, expires_at, live_attempt_count, created_at, updated_at)
     select ${tenant}, id, 'OPEN', 'customer', 'ord-' || i, pence, '${storeId}', '${secretId}', 180000,
       expires_at, expires_at, 0, at, at from drawn`,
    `insert into attempt (merchant_id, environment, attempt_id, payment_request_id, position,
       payment_idempotency_id, method, status, step, institution_id, amount_pence, creditor,
       settles_to, consumer_name, authorise_by_business, authorise_by, created_at, updated_at)
     select ${tenant}, id, id, 1, 'ATOA' || upper(left(replace(id::text, '-', ''), 26)), 'PAY_BY_BANK',
       (array['AWAITING_AUTHORIZATION', 'PENDING', 'FAILED'])[kind + 1],
       (array['AT_BANK', 'SUBMITTED', 'ENDED'])[kind + 1], 'mock-sandbox-v1', pence, '{}',
       'STORE_ACCOUNT', 'Ada Smith', expires_at, expires_at, at, at from drawn`,
    `insert into attempt_poll (merchant_id, environment, attempt_id, payment_request_id, method,
       institution_id, poll_business_at, poll_at, watch_from)
     select ${tenant}, id, id, 'PAY_BY_BANK', 'mock-sandbox-v1', polled_at, polled_at, polled_at
     from drawn where kind = 1`,
    'drop table drawn',
  ];
};

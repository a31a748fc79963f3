import pg from 'pg';
import { fillTables } from './fill-tables.ts';

export type SeedOrder = {
  readonly url: string;
  readonly merchantId: string;
  readonly secretId: string;
  readonly storeId: string;
  readonly rows: number;
};

const tables = ['payment_request', 'attempt', 'transaction_item', 'transaction_word'];

/** Two years of payments, newest last, with everything the product would have written of them. */
export const seedPayments = (order: SeedOrder): Promise<void> =>
  fillTables({
    url: order.url,
    tables,
    analysed: [...tables, 'transaction_count'],
    statements: statements(order),
  });

const firsts = 'ada,alan,amir,anna,bea,carl,dana,ed,eva,finn,grace,hugh,iris,jack,kim,leo,mia,noah';
const lasts =
  'smith,jones,taylor,brown,williams,wilson,johnson,davies,patel,robinson,wright,thompson,evans,' +
  'walker,white,roberts,green,hall,wood,jackson,clarke,turner,khan,cooper,hill,ward,morris,moore';

const statements = ({ merchantId, secretId, storeId, rows }: SeedOrder): readonly string[] => {
  const tenant = `'${merchantId}'::uuid, 'SANDBOX'`;
  return [
    `create temporary table drawn as
     select i, gen_random_uuid() as id, now() - (${rows} - i) * (interval '730 days' / ${rows}) as at,
       100 + (random() * 20000)::bigint as pence, 'ord-' || i as order_id, i::text as digits,
       (string_to_array('${firsts}', ','))[1 + (random() * 17)::int] as first,
       case when random() < 0.3 then (string_to_array('${lasts}', ','))[1 + (random() * 27)::int]
         else 'name' || (random() * 100000)::int end as last,
       case when i > ${rows} - 20 then 'PENDING' when random() < 0.93 then 'COMPLETED'
         when random() < 0.5 then 'FAILED' else 'CANCELLED' end as status,
       case when random() < 0.05 then 'CARD' else 'PAY_BY_BANK' end as method,
       case when random() < 0.002 then 'rare-bank' when random() < 0.1 then 'other-bank'
         else 'mock-sandbox-v1' end as bank,
       case when random() < 0.2 then md5(((random() * 50000)::int)::text)::uuid end as customer
     from generate_series(1, ${rows}) i`,
    `insert into payment_request (merchant_id, environment, payment_request_id, status,
       merchant_customer_reference, order_id, amount_pence, store_id, customer_id, secret_id,
       expires_in_ms, expires_business_at, expires_at, created_at, updated_at)
     select ${tenant}, id, 'PAID', 'customer', order_id, pence, '${storeId}', customer,
       '${secretId}', 180000, at, at, at, at from drawn`,
    `insert into attempt (merchant_id, environment, attempt_id, payment_request_id, position,
       payment_idempotency_id, method, status, step, institution_id, amount_pence, creditor,
       settles_to, consumer_name, authorise_by_business, authorise_by, created_at, updated_at,
       capture_type, initiator, account_key)
     select ${tenant}, id, id, 1, 'ATOA' || upper(left(replace(id::text, '-', ''), 26)), method,
       status, 'ENDED', case when method = 'CARD' then 'card' else bank end, pence, '{}',
       'STORE_ACCOUNT', initcap(first || ' ' || last),
       at, at, at, at, case when method = 'CARD' then 'AUTO_CAPTURE' end,
       case when method = 'CARD' then 'CUSTOMER' end,
       case when method = 'CARD' then 'simulated' end from drawn`,
    `insert into transaction_item (merchant_id, environment, payment_request_id, position, created_at,
       status, method, store_id, customer_id, total_pence, institution_id, words)
     select ${tenant}, id, 1, at, status, method, '${storeId}', customer, pence,
       case when method = 'PAY_BY_BANK' then bank end,
       concat(' ', order_id, ' ', digits, ' ', pounds, ' ', first, ' ', last)
     from (select *, to_char(pence / 100.0, 'FM999990.00') as pounds from drawn) d`,
    `insert into transaction_word (merchant_id, environment, word, created_at, payment_request_id,
       position, shared)
     select ${tenant}, w.word, at, id, 1, w.shared
     from (select *, to_char(pence / 100.0, 'FM999990.00') as pounds from drawn) d,
       lateral (values (order_id, 0), (digits, 0), (pounds, ${sharedSql('pounds', 'digits')}),
         (first, 0), (last, ${sharedSql('last', 'first')})) w (word, shared)
`,
    `insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
       amount_pence, is_folded)
     select merchant_id, environment, london_day(created_at), store_id, method, status, count(*),
       sum(total_pence), true
     from transaction_item where merchant_id = '${merchantId}' group by 1, 2, 3, 4, 5, 6`,
    'drop table drawn',
  ];
};

/** The number of first characters that two short words have in common. */
const sharedSql = (one: string, other: string): string =>
  `case ${[6, 5, 4, 3, 2, 1]
    .map(
      (n) => `when length(${one}) >= ${n} and left(${one}, ${n}) = left(${other}, ${n}) then ${n}`,
    )
    .join(' ')} else 0 end`;

const stores = 100;

/** Hex digits of a payout's id: the day, and one of a hundred stores. Half of the money is of the first. */
const payoutIdOf = (of: string): string =>
  `md5(${of}.merchant_id || ${of}.created_at::date::text || case when ${of}.number % 2 = 0 then 0
     else ${of}.number / 2 % ${stores} end)::uuid`;

/** Two years of payouts, one for each day and store, and a line for each payment by bank. */
export const seedPayouts = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  const { rows: found } = await client.query('select from payout limit 1');
  await client.end();
  if (found.length === 0)
    await fillTables({
      url,
      tables: ['payout', 'payout_line'],
      analysed: ['payout', 'payout_line', 'payout_count'],
      statements: [
        `insert into payout_line (merchant_id, environment, payout_id, entry_id, amount_pence,
           reason, resource_id, attempt_id, store_id, occurred_at)
         select a.merchant_id, a.environment, ${payoutIdOf('a')}, a.number, a.amount_pence,
           'PAYMENT_SETTLED', a.payment_request_id, a.attempt_id, a.payment_request_id, a.created_at
         from (select *, row_number() over () as number from attempt
           where status = 'COMPLETED' and method = 'PAY_BY_BANK') a`,
        `insert into payout (merchant_id, environment, payout_id, status, reference, sort_code,
           account_number, account_name, amount_pence, line_count, period_ends_business_at,
           created_at, updated_at)
         select merchant_id, environment, payout_id, 'SETTLED',
           'FPY' || upper(left(replace(payout_id::text, '-', ''), 11)), '180002', '00000190',
           'Bench', sum(amount_pence), count(*), max(occurred_at), max(occurred_at),
           max(occurred_at)
         from payout_line group by 1, 2, 3`,
        `insert into payout_count
         select merchant_id, environment, (created_at at time zone 'Europe/London')::date, status,
           count(*) from payout group by 1, 2, 3, 4`,
      ],
    });
};

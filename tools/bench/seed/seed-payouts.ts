import pg from 'pg';
import { fillTables } from './fill-tables.ts';

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

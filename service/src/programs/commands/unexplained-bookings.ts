import { pence, poundsText } from '#kernel/pence.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

type Booking = {
  readonly environment: string;
  readonly direction: 'credit' | 'debit';
  readonly amount_pence: bigint;
  readonly end_to_end_id: string | null;
  readonly bank_reference: string | null;
  readonly booked_on: string | null;
};

const maxShown = 1_000;

const list = statement<{ readonly since: Date; readonly limit: number }, Booking>(
  'account_bookings_unexplained',
  sql('since', 'limit')`
   select * from (
     select environment, 'debit' as direction, amount_pence, end_to_end_id, bank_reference,
       booked_on::text, received_at
     from account_debit where credit_id is null and received_at >= :since
     union all
     select environment, 'credit', amount_pence, end_to_end_id, bank_reference, booked_on::text,
       received_at
     from account_credit where status in ('OPEN', 'UNMATCHED') and received_at >= :since) b
   order by b.received_at limit :limit`,
  { readsWholeTables: true },
);

/** What the bank has booked since then on the collecting account and nothing here explains. */
export const listUnexplained = async (
  { database }: Uses<'database'>,
  since: Date,
): Promise<readonly string[]> =>
  (await database.system(list, { since, limit: maxShown })).map((row) =>
    [
      `${row.environment}: unexplained ${row.direction} of ${poundsText(pence(row.amount_pence))}`,
      row.booked_on ?? '-',
      row.end_to_end_id ?? '-',
      row.bank_reference ?? '-',
    ].join('  '),
  );

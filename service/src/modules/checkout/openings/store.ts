import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** Array literals, an entry for each opening. */
export type OpeningColumns = {
  readonly merchantIds: readonly string[];
  readonly environments: readonly string[];
  readonly paymentRequestIds: readonly string[];
  readonly openedAts: readonly Date[];
};

export const insertOpenings = statement<OpeningColumns, never>(
  'page_opening_insert',
  sql('merchantIds', 'environments', 'paymentRequestIds', 'openedAts')`
   insert into page_opening (merchant_id, environment, payment_request_id, opened_at)
   select * from unnest(:merchantIds::uuid[], :environments::text[], :paymentRequestIds::uuid[],
     :openedAts::timestamptz[])
   on conflict do nothing`,
  { guardedBy: 'the key: of all openings of a payment request the first is stored' },
);

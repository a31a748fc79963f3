import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Version = { readonly payment_request_id: string; readonly version: string };

// Pages show no secret: they are found by the ids in their links, across merchants (ACCESS-10).
const versions = statement<{ ids: readonly string[] }, Version>(
  'checkout_versions',
  sql('ids')`
   select r.payment_request_id,
     trunc(extract(epoch from r.updated_at) * 1000)::text || '.' || r.event_sequence as version
   from public_id p join payment_request r
     on r.merchant_id = p.merchant_id and r.environment = p.environment
     and r.payment_request_id = p.target_id
   where p.public_id = any (:ids::text[]) and p.kind = 'PAYMENT_REQUEST'`,
);

export const readVersions = (database: Database, ids: readonly string[]): Promise<Version[]> =>
  database.system(versions, { ids });

// The ids of one code differ in their last five characters only: a range of the directory's key.
const shortLink = statement<{ first: string; last: string }, { public_id: string }>(
  'checkout_short_link',
  sql('first', 'last')`
   select public_id from public_id
   where public_id between :first and :last and kind = 'PAYMENT_REQUEST' limit 1`,
);

export const findShortLink = async (
  database: Database,
  ids: { readonly first: string; readonly last: string },
): Promise<string | null> => (await database.system(shortLink, ids))[0]?.public_id ?? null;

/** Array literals, an entry for each opening. */
type OpeningColumns = {
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

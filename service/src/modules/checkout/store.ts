import type { Database } from '#platform/database/open-database.ts';
import { statement } from '#platform/database/statement.ts';

type Version = { readonly payment_request_id: string; readonly version: number };

// Pages show no secret: they are found by the ids in their links, across merchants (decision 40).
const versions = statement<{ ids: readonly string[] }, Version>(
  'checkout_versions',
  `select r.payment_request_id, r.version
   from public_id p join payment_request r
     on r.merchant_id = p.merchant_id and r.environment = p.environment
     and r.payment_request_id = p.target_id
   where p.public_id = any (:ids::text[]) and p.kind = 'PAYMENT_REQUEST'`,
);

export const readVersions = (database: Database, ids: readonly string[]): Promise<Version[]> =>
  database.system(versions, { ids });

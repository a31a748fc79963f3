import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** Read before the balance: a decision is committed only while its turn is the present one. */
export const readTurn = statement<Tenant, { readonly version: number }>(
  'outgoing_turn_read',
  sql('merchantId', 'environment')`
   with made as (
     insert into outgoing_turn (merchant_id, environment) values (:merchantId, :environment)
     on conflict do nothing returning version)
   select version from made union all
   select version from outgoing_turn
   where merchant_id = :merchantId and environment = :environment`,
  { guardedBy: 'primary key: the first row stays' },
);

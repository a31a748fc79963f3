import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const updateExpiry = statement<Tenant & { readonly expiresInMs: number | null }, never>(
  'merchant_expiry_update',
  sql('expiresInMs', 'merchantId', 'environment')`
   update merchant_switch set expires_in_ms = :expiresInMs::bigint
   where merchant_id = :merchantId and environment = :environment`,
  { guardedBy: 'primary key (merchant, environment): the later write wins' },
);

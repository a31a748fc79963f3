import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type EndpointConfigRow = {
  readonly url: string;
  readonly auth_encrypted: Buffer | null;
  readonly version: number;
  /** The current one first, then the last replaced one. Empty: v1. */
  readonly secret_ids: readonly string[];
  readonly secrets_encrypted: readonly Buffer[];
  readonly secrets_expire_at: readonly (Date | null)[];
  /** Which of them is staged. */
  readonly next_id: string | null;
};

export const readEndpointConfig = statement<
  { readonly merchantId: string; readonly environment: Environment; readonly endpointId: string },
  EndpointConfigRow
>(
  'webhook_endpoint_config',
  sql('merchantId', 'environment', 'endpointId')`
   select w.url, w.auth_encrypted, w.version,
     array_agg(s.secret_id order by s.expires_at is null desc, s.created_at desc)
       filter (where s.secret_id is not null) as secret_ids,
     array_agg(s.secret_encrypted order by s.expires_at is null desc, s.created_at desc)
       filter (where s.secret_id is not null) as secrets_encrypted,
     array_agg(s.expires_at order by s.expires_at is null desc, s.created_at desc)
       filter (where s.secret_id is not null) as secrets_expire_at,
     (array_agg(s.secret_id) filter (where s.is_next))[1] as next_id
   from webhook_endpoint w
   left join webhook_signing_secret s on s.merchant_id = w.merchant_id
     and s.environment = w.environment and (s.expires_at is null or s.expires_at > now())
   where w.merchant_id = :merchantId and w.environment = :environment
     and w.endpoint_id = :endpointId
   group by w.merchant_id, w.environment, w.endpoint_id`,
);

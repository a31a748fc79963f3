import type { Environment } from '#kernel/environment.ts';
import { statement } from '#platform/database/statement.ts';

type TenantValues = { readonly merchantId: string; readonly environment: Environment };

/**
 * The old secret signs on until `overlapHours` from now. Every endpoint's version rises, because what
 * is sent to it changes.
 */
export const rotateSecret = statement<
  TenantValues & {
    readonly secretId: string;
    readonly secretEncrypted: Buffer;
    readonly overlapHours: number;
  },
  { readonly created_at: Date; readonly previous_expires_at: Date | null }
>(
  'webhook_secret_rotate',
  `with previous as (
     update webhook_signing_secret
     set expires_at = clock_timestamp() + :overlapHours::int * interval '1 hour'
     where merchant_id = :merchantId and environment = :environment and expires_at is null
     returning expires_at
   ), endpoint as (
     update webhook_endpoint set version = version + 1
     where merchant_id = :merchantId and environment = :environment and deleted_at is null
   ), secret as (
     insert into webhook_signing_secret (merchant_id, environment, secret_id, secret_encrypted)
     select :merchantId, :environment, :secretId::uuid, :secretEncrypted
     from (select count(*) from previous) as after_previous
     returning created_at
   )
   select s.created_at, (select expires_at from previous) as previous_expires_at from secret s`,
);

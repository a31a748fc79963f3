import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type NewSecret = Tenant & { readonly secretId: string; readonly secretEncrypted: Buffer };

/** Every endpoint's version rises, because its deliveries change. */
const endpointsChange = (guard: string) => sql('merchantId', 'environment')`
   endpoint as (
     update webhook_endpoint set version = version + 1
     where merchant_id = :merchantId and environment = :environment and deleted_at is null
       and exists (select from ${guard})
   )`;

/** The old secret signs on until `overlapHours` from now; 0 ends those that were replaced before too. */
const previousSignsOn = (guard: string) => sql('overlapHours', 'merchantId', 'environment')`
   ended as (
     update webhook_signing_secret set expires_at = clock_timestamp()
     where merchant_id = :merchantId and environment = :environment
       and expires_at > statement_timestamp() and :overlapHours::int = 0 and ${guard}
   ), previous as (
     update webhook_signing_secret
     set expires_at = clock_timestamp() + :overlapHours::int * interval '1 hour'
     where merchant_id = :merchantId and environment = :environment and expires_at is null
       and not is_next and ${guard}
     returning expires_at`;

export const rotateSecret = statement<
  NewSecret & { readonly overlapHours: number },
  { readonly created_at: Date; readonly previous_expires_at: Date | null }
>(
  'webhook_secret_rotate',
  sql('merchantId', 'environment', 'secretId', 'secretEncrypted')`
   with ${previousSignsOn('true')}
   ), secret as (
     insert into webhook_signing_secret (merchant_id, environment, secret_id, secret_encrypted)
     select :merchantId, :environment, :secretId::uuid, :secretEncrypted
     from (select count(*) from previous) as after_previous
     returning created_at
   ), ${endpointsChange('secret')}
   select s.created_at, (select expires_at from previous) as previous_expires_at from secret s`,
  { guardedBy: 'unique index of the one current secret' },
);

/** Beside the current one, which must exist; an earlier staged one is never used. */
export const stageSecret = statement<NewSecret, { readonly created_at: Date }>(
  'webhook_secret_stage',
  sql('merchantId', 'environment', 'secretId', 'secretEncrypted')`
   with current as (
     select from webhook_signing_secret
     where merchant_id = :merchantId and environment = :environment and expires_at is null
       and not is_next
   ), replaced as (
     update webhook_signing_secret set is_next = false, expires_at = clock_timestamp()
     where merchant_id = :merchantId and environment = :environment and is_next
       and exists (select from current)
     returning 1
   ), secret as (
     insert into webhook_signing_secret
       (merchant_id, environment, secret_id, secret_encrypted, is_next)
     select :merchantId, :environment, :secretId::uuid, :secretEncrypted, true
     from current, (select count(*) from replaced) as after_replaced
     returning created_at
   ), ${endpointsChange('secret')}
   select created_at from secret`,
  { guardedBy: 'unique index of the one staged secret' },
);

export const findStagedSecret = statement<Tenant, { readonly secret_id: string }>(
  'webhook_secret_find_staged',
  sql('merchantId', 'environment')`
   select secret_id from webhook_signing_secret
   where merchant_id = :merchantId and environment = :environment and is_next`,
);

/** No row when it is not staged any more. As if created now: that time shows which one was replaced last. */
export const promoteSecret = statement<
  Tenant & { readonly secretId: string; readonly overlapHours: number },
  { readonly created_at: Date; readonly previous_expires_at: Date | null }
>(
  'webhook_secret_promote',
  sql('merchantId', 'environment', 'secretId')`
   with staged as (
     select secret_id from webhook_signing_secret
     where merchant_id = :merchantId and environment = :environment and is_next
       and secret_id = :secretId::uuid for update
   ), ${previousSignsOn('exists (select from staged)')}
   ), secret as (
     update webhook_signing_secret set is_next = false, created_at = clock_timestamp()
     where merchant_id = :merchantId and environment = :environment
       and secret_id = (select secret_id from staged)
       and (select count(*) from previous) = 1
     returning created_at
   ), ${endpointsChange('secret')}
   select s.created_at, (select expires_at from previous) as previous_expires_at from secret s`,
  { guardedBy: 'for update of the staged secret, unique index of the current one' },
);

export type SigningSecretRow = {
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly is_next: boolean;
};

export const listSecrets = statement<Tenant, SigningSecretRow>(
  'webhook_secret_list',
  sql('merchantId', 'environment')`
   select created_at, expires_at, is_next from webhook_signing_secret
   where merchant_id = :merchantId and environment = :environment
     and (expires_at is null or expires_at > statement_timestamp())
   order by is_next, expires_at is null desc, created_at desc`,
);

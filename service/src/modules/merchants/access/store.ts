import type { listMerchantSecrets, ReplyOf } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type NewSecretRows = {
  readonly merchantId: string;
  readonly environments: readonly Environment[];
  readonly secretIds: readonly string[];
  readonly secretNames: readonly string[];
  readonly lastFours: readonly string[];
  readonly secretsEncrypted: readonly Buffer[];
  readonly secretsSha256: readonly Buffer[];
  readonly redirectUrl: string | null;
  readonly webOrigins: readonly string[];
  readonly isReadOnly: boolean;
  readonly expiresAt: Date | null;
  /** Members make no secrets of a suspended merchant; the operator may. */
  readonly stopsIfSuspended: boolean;
};

/** Two parts of a `with`: the secrets and their directory, one row per environment. */
export const insertSecretsSql = sql(
  'environments',
  'secretIds',
  'secretNames',
  'lastFours',
  'secretsEncrypted',
  'secretsSha256',
  'merchantId',
  'redirectUrl',
  'webOrigins',
  'isReadOnly',
  'expiresAt',
  'stopsIfSuspended',
)`
   new_secret as (
    select * from unnest(:environments::text[], :secretIds::uuid[], :secretNames::text[],
      :lastFours::text[], :secretsEncrypted::bytea[], :secretsSha256::bytea[])
      as t (environment, secret_id, name, last_four, secret_encrypted, secret_sha256)
    where not :stopsIfSuspended::boolean or not exists (select from merchant_switch w
      where w.merchant_id = :merchantId and w.environment = t.environment
        and w.suspension_id is not null)
  ), secret_row as (
    insert into access_secret (merchant_id, environment, secret_id, name, last_four,
      secret_encrypted, redirect_url, web_origins, is_read_only, expires_at)
    select :merchantId, environment, secret_id, name, last_four, secret_encrypted,
      :redirectUrl, :webOrigins::text[], :isReadOnly, :expiresAt from new_secret
  ), directory_row as (
    insert into secret_directory (secret_sha256, merchant_id, environment, secret_id)
    select secret_sha256, :merchantId, environment, secret_id from new_secret
  )`;

export const insertSecrets = statement<NewSecretRows, { inserted: boolean }>(
  'access_secret_insert',
  sql()`with ${insertSecretsSql} select count(*) > 0 as inserted from new_secret`,
  { guardedBy: 'primary keys of secret and directory: the same secret cannot be written twice' },
);

type KnownSecret = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly secret_id: string;
  readonly redirect_url: string | null;
  readonly is_read_only: boolean;
  readonly expires_at: Date | null;
  /** Of the cell that it is in, if not this one. */
  readonly cell_address: string | null;
  readonly is_moving: boolean;
};

/** The only look-up that has no tenant yet: it finds the tenant. */
export const findSecret = statement<{ secretSha256: Buffer }, KnownSecret>(
  'access_secret_find',
  sql('secretSha256')`
   select s.merchant_id, s.environment, s.secret_id, s.redirect_url, s.is_read_only, s.expires_at,
     c.address as cell_address,
     coalesce(m.status in ('PREPARING', 'COPYING', 'PAUSED'), false) as is_moving
   from secret_directory d
   join access_secret s on s.merchant_id = d.merchant_id and s.environment = d.environment
     and s.secret_id = d.secret_id
   left join cell_move m on m.merchant_id = d.merchant_id
   left join cell c on c.cell_id = m.other_cell_id and m.status in ('GONE', 'ARRIVING', 'UNDONE')
   where d.secret_sha256 = :secretSha256 and s.revoked_at is null`,
);

type SecretKey = Tenant & { readonly secretId: string };

export const touchSecret = statement<SecretKey & { usedAt: Date }, never>(
  'access_secret_touch',
  sql('usedAt', 'merchantId', 'environment', 'secretId')`
   update access_secret set last_used_at = :usedAt
   where merchant_id = :merchantId and environment = :environment and secret_id = :secretId
     and (last_used_at is null or last_used_at < :usedAt::timestamptz - interval '1 minute')`,
  { guardedBy: 'written at most once a minute; the later time wins' },
);

/** The row stays because it signs; the directory entry is deleted. */
export const revokeSecret = statement<SecretKey, { secret_id: string }>(
  'access_secret_revoke',
  sql('merchantId', 'environment', 'secretId')`
   with gone as (
     delete from secret_directory
     where merchant_id = :merchantId and environment = :environment and secret_id = :secretId
   )
   update access_secret set revoked_at = coalesce(revoked_at, clock_timestamp())
   where merchant_id = :merchantId and environment = :environment and secret_id = :secretId
   returning secret_id`,
  { guardedBy: 'coalesce keeps the first revocation, so a repeat changes nothing' },
);

/** Null leaves a value as it is; an empty return address takes it away. A revoked secret stays as it was. */
export const updateSecret = statement<
  SecretKey & {
    readonly name: string | null;
    readonly redirectUrl: string | null;
    readonly webOrigins: readonly string[] | null;
  },
  { secret_id: string }
>(
  'access_secret_update',
  sql('name', 'redirectUrl', 'webOrigins', 'merchantId', 'environment', 'secretId')`
   update access_secret set name = coalesce(:name::text, name),
     redirect_url = nullif(coalesce(:redirectUrl::text, redirect_url), ''),
     web_origins = coalesce(:webOrigins::text[], web_origins)
   where merchant_id = :merchantId and environment = :environment and secret_id = :secretId
     and revoked_at is null
   returning secret_id`,
  { guardedBy: 'one row that is not revoked; the later write wins' },
);

type SecretRow = RowOf<
  ReplyOf<typeof listMerchantSecrets>['data'][number],
  'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'
> & { readonly total: bigint };

export const listSecrets = statement<
  Tenant & { readonly limit: number; readonly skipped: number },
  SecretRow
>(
  'access_secret_list',
  sql('merchantId', 'environment', 'limit', 'skipped')`
   select secret_id, name, last_four, redirect_url, web_origins, created_at,
     case when is_read_only then 'READ' else 'READ_WRITE' end as scope, expires_at,
     revoked_at, last_used_at, count(*) over () as total
   from access_secret where merchant_id = :merchantId and environment = :environment
   order by created_at desc, secret_id limit :limit offset :skipped`,
);

export const findSigningSecret = statement<
  Tenant & { readonly secretId: string | null },
  { secret_id: string; secret_encrypted: Buffer }
>(
  'access_secret_signing',
  sql('merchantId', 'environment', 'secretId')`
   select secret_id, secret_encrypted from access_secret
   where merchant_id = :merchantId and environment = :environment
     and (secret_id = :secretId
       or revoked_at is null and (expires_at is null or expires_at > statement_timestamp()))
   order by coalesce(secret_id = :secretId, false) desc, created_at, secret_id limit 1`,
);

/** Every tenant that lists this origin for its pages (ACCESS-4). */
export const findOriginTenants = statement<
  { origins: readonly string[] },
  { merchant_id: string; environment: Environment }
>(
  'access_secret_origin',
  sql('origins')`
   select distinct merchant_id, environment from access_secret
   where web_origins && :origins::text[] and revoked_at is null
     and (expires_at is null or expires_at > statement_timestamp())`,
);

/** What the active secrets of this tenant list. */
export const listWebOrigins = statement<Tenant & { readonly limit: number }, { origin: string }>(
  'access_secret_web_origins',
  sql('merchantId', 'environment', 'limit')`
   select distinct unnest(web_origins) as origin from access_secret
   where merchant_id = :merchantId and environment = :environment and revoked_at is null
     and (expires_at is null or expires_at > statement_timestamp())
   order by origin limit :limit`,
);

export type PublicIdKind =
  | 'PAYMENT_REQUEST'
  | 'ATTEMPT'
  | 'BANK_STATE'
  | 'BANK_AUTHORISATION'
  | 'BANK_LINK_STATE'
  | 'BANK_ACCOUNT'
  | 'IMAGE'
  | 'LINK'
  | 'REFUND'
  | 'PAYOUT'
  | 'PAYMENT_CODE';

export const findPublicIdRow = statement<
  { readonly publicId: string; readonly kind: PublicIdKind },
  { merchant_id: string; environment: Environment; target_id: string; cell_address: string | null }
>(
  'public_id_find',
  sql('publicId', 'kind')`
   select p.merchant_id, p.environment, p.target_id, c.address as cell_address
   from public_id p
   left join cell_move m on m.merchant_id = p.merchant_id
     and m.status in ('GONE', 'ARRIVING', 'UNDONE')
   left join cell c on c.cell_id = m.other_cell_id
   where p.public_id = :publicId and p.kind = :kind`,
);

/** Of the cells in which merchants are that were here, or come from there. */
export const listCellAddresses = statement<Record<never, never>, { readonly address: string }>(
  'cell_addresses',
  sql()`
   select c.address from cell c where exists (select from cell_move m
     where m.other_cell_id = c.cell_id and m.status in ('GONE', 'ARRIVING', 'UNDONE'))
   order by c.address`,
);

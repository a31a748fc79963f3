import type { EventType } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

export type EndpointKey = Tenant & { readonly endpointId: string };

export const isEndpoint = sql('merchantId', 'environment', 'endpointId')`
   merchant_id = :merchantId and environment = :environment and endpoint_id = :endpointId::uuid`;

export type Subscribed = {
  /** Event types whose three slots, or whose one slot of v1, are taken. */
  readonly full: readonly EventType[];
  /** Whether a signing secret is missing that an event type needs. */
  readonly unsigned: boolean;
  readonly done: boolean;
};

/** The lowest free slot of each event type; none free: null, and nothing is written. */
const wantedSql = sql('merchantId', 'environment', 'endpointId', 'apiVersion', 'events')`
   wanted as (
    select t.event_type, (
      select min(free.slot) from generate_series(1, 3) as free (slot)
      where not exists (select from subscription s
        where s.merchant_id = :merchantId and s.environment = :environment
          and s.event_type = t.event_type and s.slot = free.slot
          and s.endpoint_id <> :endpointId::uuid)
        and not exists (select from subscription s
        where :apiVersion::smallint = 1 and s.merchant_id = :merchantId
          and s.environment = :environment and s.event_type = t.event_type and s.api_version = 1)
    ) as slot
    from unnest(:events::text[]) as t (event_type)
  ), refused as (
    select array(select event_type from wanted where slot is null) as "full",
      coalesce('POS_PAYMENT_STATUS' = any(:events::text[]), false) and not exists (
        select from webhook_signing_secret g where g.merchant_id = :merchantId
          and g.environment = :environment and g.expires_at is null
          and not g.is_next) as unsigned
  ), allowed as (
    select from refused where cardinality("full") = 0 and not unsigned
  )`;

type NewEndpoint = EndpointKey & {
  readonly apiVersion: 1 | 2;
  readonly url: string;
  readonly description: string | null;
  readonly authKind: string;
  readonly authEncrypted: Buffer | null;
  readonly ratePerSecond: number | null;
  readonly events: readonly EventType[];
};

export const insertEndpoint = statement<NewEndpoint, Subscribed>(
  'webhook_endpoint_insert',
  sql(
    'merchantId',
    'environment',
    'endpointId',
    'apiVersion',
    'url',
    'description',
    'authKind',
    'authEncrypted',
    'ratePerSecond',
  )`
   with ${wantedSql}, endpoint as (
     insert into webhook_endpoint (merchant_id, environment, endpoint_id, api_version, url,
       description, auth_kind, auth_encrypted, rate_per_second, created_at)
     select :merchantId, :environment, :endpointId::uuid, :apiVersion::smallint, :url, :description,
       :authKind, :authEncrypted::bytea, :ratePerSecond::smallint, business_now(:merchantId, :environment)
     from allowed returning endpoint_id
   ), health as (
     insert into webhook_endpoint_health (merchant_id, environment, endpoint_id)
     select :merchantId, :environment, endpoint_id from endpoint
   ), subscribed as (
     insert into subscription
       (merchant_id, environment, event_type, slot, endpoint_id, api_version)
     select :merchantId, :environment, w.event_type, w.slot, e.endpoint_id, :apiVersion::smallint
     from wanted w, endpoint e
   )
   select "full", unsigned, exists (select from endpoint) as done from refused`,
  { guardedBy: 'unique slots of an event type: a race for one is retried with what is then free' },
);

const find = statement<EndpointKey, { readonly endpoint_id: string }>(
  'webhook_endpoint_exists',
  sql()`select endpoint_id from webhook_endpoint where ${isEndpoint}`,
);

/** Deleted meanwhile or not: it was created. */
export const hasEndpoint = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  endpointId: string,
): Promise<boolean> =>
  (await database.tenant(tenant.merchantId, find, { ...tenant, endpointId })).length > 0;

/** Kept slots are not taken again: an update never loses its own. */
export const updateEndpoint = statement<
  EndpointKey & {
    readonly apiVersion: 2;
    /** Null: as it is. */
    readonly events: readonly EventType[] | null;
    readonly setsDescription: boolean;
    readonly description: string | null;
    readonly authKind: string | null;
    readonly authEncrypted: Buffer | null;
    readonly setsRate: boolean;
    readonly ratePerSecond: number | null;
  },
  Subscribed
>(
  'webhook_endpoint_update',
  sql(
    'setsDescription',
    'description',
    'authKind',
    'authEncrypted',
    'setsRate',
    'ratePerSecond',
    'merchantId',
    'environment',
    'endpointId',
    'events',
  )`
   with ${wantedSql}, endpoint as (
     update webhook_endpoint e set
       description = case when :setsDescription::boolean then :description else description end,
       auth_kind = coalesce(:authKind::text, auth_kind),
       auth_encrypted = case when :authKind::text is null then auth_encrypted
         else :authEncrypted::bytea end,
       rate_per_second = case when :setsRate::boolean then :ratePerSecond::smallint
         else rate_per_second end,
       version = version + 1
     from allowed
     where e.merchant_id = :merchantId and e.environment = :environment
       and e.endpoint_id = :endpointId::uuid and e.api_version = 2 and e.deleted_at is null
     returning e.endpoint_id, e.is_paused
   ), left_out as (
     delete from subscription s using endpoint e
     where s.merchant_id = :merchantId and s.environment = :environment
       and s.endpoint_id = e.endpoint_id and s.event_type <> all(:events::text[])
   ), subscribed as (
     insert into subscription
       (merchant_id, environment, event_type, slot, endpoint_id, api_version, is_paused)
     select :merchantId, :environment, w.event_type, w.slot, e.endpoint_id, 2, e.is_paused
     from wanted w, endpoint e
     where not exists (select from subscription s
       where s.merchant_id = :merchantId and s.environment = :environment
         and s.endpoint_id = e.endpoint_id and s.event_type = w.event_type)
   )
   select "full", unsigned, exists (select from endpoint) as done from refused`,
  { guardedBy: 'unique slots of an event type: a race for one is retried with what is then free' },
);

export type EndpointRow = {
  readonly endpoint_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly environment: Environment;
  readonly auth_kind: 'NONE' | 'BASIC' | 'OAUTH2';
  readonly events: readonly EventType[];
  readonly rate_per_second: number | null;
  readonly failure_count: bigint;
  readonly last_delivered_at: Date | null;
};

const columns = `e.endpoint_id, e.url, e.description, e.environment, e.auth_kind, e.rate_per_second,
  h.failure_count, h.last_delivered_at,
  array(select s.event_type from subscription s
    where s.merchant_id = e.merchant_id and s.environment = e.environment
      and s.endpoint_id = e.endpoint_id order by s.event_type) as events`;

const ofTenant = sql('merchantId', 'environment')`
   webhook_endpoint e
   join webhook_endpoint_health h on h.merchant_id = e.merchant_id
     and h.environment = e.environment and h.endpoint_id = e.endpoint_id
   where e.merchant_id = :merchantId and e.environment = :environment and e.deleted_at is null`;

export const readEndpoint = statement<EndpointKey, EndpointRow>(
  'webhook_endpoint_read',
  sql(
    'endpointId',
  )`select ${columns} from ${ofTenant} and e.api_version = 2 and e.endpoint_id = :endpointId`,
);

export const listEndpoints = statement<
  Tenant & { readonly size: number; readonly skipped: number },
  EndpointRow
>(
  'webhook_endpoint_list',
  sql('size', 'skipped')`
   select ${columns} from ${ofTenant} and e.api_version = 2
   order by e.created_at desc, e.endpoint_id limit :size offset :skipped`,
);

export const countEndpoints = statement<Tenant, { readonly total: bigint }>(
  'webhook_endpoint_count',
  sql('merchantId', 'environment')`
   select count(*) as total from webhook_endpoint
   where merchant_id = :merchantId and environment = :environment and deleted_at is null
     and api_version = 2`,
);

export const listV1Webhooks = statement<Tenant, EndpointRow>(
  'webhook_v1_list',
  sql()`select ${columns} from ${ofTenant} and e.api_version = 1 order by e.created_at, e.endpoint_id`,
);

/** Of either version: whether this tenant has it, also for the log of a deleted one. */
export const findEndpoint = statement<
  EndpointKey,
  { readonly is_deleted: boolean; readonly is_paused: boolean }
>(
  'webhook_endpoint_find',
  sql()`
   select deleted_at is not null as is_deleted, is_paused from webhook_endpoint where ${isEndpoint}`,
);

export const deleteEndpoint = statement<
  EndpointKey & { readonly apiVersion: 1 | 2 },
  { readonly endpoint_id: string }
>(
  'webhook_endpoint_delete',
  sql('merchantId', 'environment', 'apiVersion')`
   with endpoint as (
     update webhook_endpoint set deleted_at = business_now(:merchantId, :environment),
       version = version + 1, auth_kind = 'NONE', auth_encrypted = null
     where ${isEndpoint} and api_version = :apiVersion::smallint and deleted_at is null
     returning endpoint_id
   ), unsubscribed as (
     delete from subscription s using endpoint e
     where s.merchant_id = :merchantId and s.environment = :environment
       and s.endpoint_id = e.endpoint_id
   )
   select endpoint_id from endpoint`,
  { guardedBy: 'deleted_at is null: deleted once, its subscriptions with it' },
);

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

export const readEndpointConfig = statement<EndpointKey, EndpointConfigRow>(
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

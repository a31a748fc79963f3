import { type getMerchant, type ReplyOf, setSandboxSwitches } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { columnOf, type RowOf } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { insertSecretsSql, type NewSecretRows } from '../../access/store.ts';
import type { Suspension } from '../../suspensions/store.ts';

type Shown = ReplyOf<typeof getMerchant>;

export type Settings = Omit<
  Shown,
  'merchantId' | 'paymentLimit' | 'logoUrl' | 'switches' | 'suspensions'
> & { readonly paymentLimitPence: bigint };

const settingNames = [
  ...(['businessName', 'ownerEmail', 'categoryCode', 'paymentLimitPence'] as const),
  ...(['completedAtSettlement', 'avatarUrl', 'accentColour', 'supportEmail'] as const),
  ...(['supportPhone', 'supportUrl'] as const),
] satisfies (keyof Settings)[];

export type NewMerchantRows = NewSecretRows &
  Settings & {
    readonly storeIds: readonly string[];
    readonly sortCodes: readonly string[];
    readonly accountNumbers: readonly string[];
    readonly accountNames: readonly string[];
    /** False: the account of production is the sandbox's, and nothing is paid to it. */
    readonly hasProductionAccount: boolean;
  };

/** The rows of a merchant, as parts of one statement. */
export const insertMerchantCtes = sql(
  'merchantId',
  ...settingNames,
  'environments',
  'storeIds',
  'sortCodes',
  'accountNumbers',
  'accountNames',
  'hasProductionAccount',
)`
   merchant_row as (
     insert into merchant (merchant_id, business_name, owner_email, category_code,
       payment_limit_pence, completed_at_settlement, avatar_url, accent_colour, support_email,
       support_phone, support_url)
     values (:merchantId, :businessName, :ownerEmail, :categoryCode, :paymentLimitPence,
       :completedAtSettlement, :avatarUrl, :accentColour, :supportEmail, :supportPhone, :supportUrl)
   ), tenant as (
     select t.*, t.environment = 'SANDBOX' as starts_on,
       date_trunc('milliseconds', clock_timestamp()) as created_at
     from unnest(:environments::text[], :storeIds::uuid[], :sortCodes::text[],
       :accountNumbers::text[], :accountNames::text[])
       as t (environment, store_id, sort_code, account_number, account_name)
   ), switch_row as (
     insert into merchant_switch
       (merchant_id, environment, cards_enabled, refunds_enabled, payouts_enabled)
     select :merchantId, environment, starts_on, starts_on, starts_on from tenant
   ), clock_row as (
     insert into tenant_clock (merchant_id, environment) select :merchantId, environment from tenant
   ), store_row as (
     insert into store (merchant_id, environment, store_id, location_name, is_primary, created_at,
       updated_at)
     select :merchantId, environment, store_id, 'DEFAULT', true, created_at, created_at from tenant
   ), account_row as (
     insert into store_bank_account
       (merchant_id, environment, store_id, sort_code, account_number, account_name, is_placeholder)
     select :merchantId, environment, store_id, sort_code, account_number, account_name,
       environment = 'PRODUCTION' and not :hasProductionAccount::boolean from tenant
   ), ${insertSecretsSql}`;

export const insertMerchant = statement<NewMerchantRows, { inserted: boolean }>(
  'merchant_insert',
  sql()`
   with ${insertMerchantCtes}
   select true as inserted`,
  { guardedBy: 'primary keys: a second merchant under the same id fails whole' },
);

export const firstMerchant = statement<Record<never, never>, { merchant_id: string }>(
  'merchant_first',
  sql()`select merchant_id from merchant order by created_at, merchant_id limit 1`,
);

/** Of a merchant in one environment, as the contract describes them. */
export type Switches = Shown['switches']['SANDBOX'];
type SwitchRow = { readonly switches: Switches };

const switchNames = Object.keys(setSandboxSwitches.reply.properties) as (keyof Switches)[];

/** They have the names of the contract, in columns. */
const switchesSql = `jsonb_build_object(${switchNames
  .map((name) => `'${name}', ${columnOf(name)}`)
  .join(', ')}) as switches`;

export type MerchantRow = RowOf<Settings> &
  SwitchRow & { readonly logo_file: string | null; readonly is_suspended: boolean };

export const readMerchantRow = statement<Tenant, MerchantRow>(
  'merchant_read',
  sql('environment', 'merchantId')`
   select m.business_name, m.owner_email, m.category_code, m.payment_limit_pence,
     m.completed_at_settlement, m.avatar_url, m.accent_colour, m.support_email, m.support_phone,
     m.support_url, m.logo_file, s.suspension_id is not null as is_suspended, ${switchesSql}
   from merchant m
   join merchant_switch s on s.merchant_id = m.merchant_id and s.environment = :environment
   where m.merchant_id = :merchantId`,
);

export type MerchantSettingValues = {
  readonly [Name in keyof Settings]: Settings[Name] | null;
} & {
  readonly merchantId: string;
  /** Both or none. */
  readonly logo: Buffer | null;
  readonly logoFile: string | null;
};

/** Null leaves a setting as it is; the empty text takes it away. */
export const updateMerchant = statement<MerchantSettingValues, { readonly merchant_id: string }>(
  'merchant_update',
  sql('merchantId', ...settingNames, 'logo', 'logoFile')`
   update merchant set business_name = coalesce(:businessName::text, business_name),
     owner_email = nullif(coalesce(:ownerEmail::text, owner_email), ''),
     category_code = coalesce(:categoryCode::text, category_code),
     payment_limit_pence = coalesce(:paymentLimitPence::bigint, payment_limit_pence),
     completed_at_settlement = coalesce(:completedAtSettlement::boolean, completed_at_settlement),
     avatar_url = nullif(coalesce(:avatarUrl::text, avatar_url), ''),
     accent_colour = nullif(coalesce(:accentColour::text, accent_colour), ''),
     support_email = nullif(coalesce(:supportEmail::text, support_email), ''),
     support_phone = nullif(coalesce(:supportPhone::text, support_phone), ''),
     support_url = nullif(coalesce(:supportUrl::text, support_url), ''),
     logo = nullif(coalesce(:logo::bytea, logo), ''),
     logo_file = nullif(coalesce(:logoFile::text, logo_file), '')
   where merchant_id = :merchantId
   returning merchant_id`,
  { guardedBy: 'one row; checks refuse what a merchant cannot have' },
);

export const findLogo = statement<
  { readonly merchantId: string; readonly logoFile: string },
  { readonly logo: Buffer }
>(
  'merchant_find_logo',
  sql('merchantId', 'logoFile')`
   select logo from merchant where merchant_id = :merchantId and logo_file = :logoFile`,
);

/** A row even when there are no merchants, so that an empty page still has the number. */
export const listMerchantRows = statement<
  {
    readonly limit: number;
    readonly skipped: number;
    /** Suspended in an environment; null: all. */
    readonly isSuspended: boolean | null;
  },
  { readonly total: bigint } & (ListedMerchantRow | NoMerchantRow)
>(
  'merchant_list',
  sql('limit', 'skipped', 'isSuspended')`
   with listed as (
     select m.merchant_id, m.business_name, m.created_at from merchant m
     where :isSuspended::boolean is null or :isSuspended::boolean = exists (
       select from merchant_suspension s
       where s.merchant_id = m.merchant_id and s.resumed_at is null))
   select n.total, m.*,
     (select jsonb_agg(jsonb_build_object('environment', s.environment, 'reason', s.reason,
         'suspendedBy', s.suspended_by, 'suspendedAt', s.suspended_at, 'resumedAt', null,
         'resumedBy', null) order by s.environment desc)
       from merchant_suspension s
       where s.merchant_id = m.merchant_id and s.resumed_at is null) as suspensions
   from (select count(*) as total from listed) n
   left join lateral (select * from listed
     order by created_at desc, merchant_id limit :limit offset :skipped) m on true`,
  { readsWholeTables: true },
);

type ListedMerchantRow = {
  readonly merchant_id: string;
  readonly business_name: string;
  readonly created_at: Date;
  readonly suspensions: Suspension[] | null;
};

type NoMerchantRow = { readonly [Name in keyof ListedMerchantRow]: null };

export const readPlaceholder = statement<Tenant, { readonly is_there: boolean }>(
  'merchant_has_placeholder_account',
  sql('merchantId', 'environment')`
   select exists (select from store_bank_account where merchant_id = :merchantId
     and environment = :environment and is_placeholder) as is_there`,
);

export const updateSwitches = statement<
  Tenant & { readonly [Name in keyof Switches]: boolean | null },
  SwitchRow
>(
  'merchant_switch_update',
  sql('merchantId', 'environment', ...switchNames)`
   update merchant_switch set
     ${switchNames
       .map((name) => `${columnOf(name)} = coalesce(:${name}, ${columnOf(name)})`)
       .join(', ')}
   where merchant_id = :merchantId and environment = :environment
     and (not coalesce(:payoutsEnabled::boolean, false) or not exists (
       select from store_bank_account a where a.merchant_id = :merchantId
         and a.environment = :environment and a.is_placeholder)
       and exists (select from collecting_account c where c.environment = :environment))
   returning ${switchesSql}`,
  {
    guardedBy: 'one row; payouts need accounts; checks refuse a refund switch without payouts',
  },
);

export const noSwitchChanges = Object.fromEntries(
  switchNames.map((name) => [name, null]),
) as Record<keyof Switches, null>;

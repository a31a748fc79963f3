import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { insertSecretsSql, type NewSecretRows } from '../../access/store.ts';
import type { SuspensionRow } from '../../suspensions/store.ts';

export type NewMerchantRows = NewSecretRows & {
  readonly businessName: string;
  readonly ownerEmail: string | null;
  readonly categoryCode: string;
  readonly paymentLimitPence: bigint;
  readonly completedAtSettlement: boolean;
  readonly avatarUrl: string | null;
  readonly accentColour: string | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
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
  'businessName',
  'ownerEmail',
  'categoryCode',
  'paymentLimitPence',
  'completedAtSettlement',
  'avatarUrl',
  'accentColour',
  'supportEmail',
  'supportPhone',
  'supportUrl',
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

export type MerchantRow = {
  readonly business_name: string;
  readonly owner_email: string | null;
  readonly category_code: string;
  readonly payment_limit_pence: bigint;
  readonly completed_at_settlement: boolean;
  readonly avatar_url: string | null;
  readonly accent_colour: string | null;
  readonly support_email: string | null;
  readonly support_phone: string | null;
  readonly support_url: string | null;
  readonly logo_file: string | null;
  readonly cards_enabled: boolean;
  readonly refunds_enabled: boolean;
  readonly payouts_enabled: boolean;
  readonly transfer_hub_paused: boolean;
  readonly refunds_before_settlement: boolean;
  readonly orders_guarded: boolean;
  readonly signs_every_return: boolean;
  readonly is_suspended: boolean;
};

type TenantValues = { readonly merchantId: string; readonly environment: Environment };

export const readMerchantRow = statement<TenantValues, MerchantRow>(
  'merchant_read',
  sql('environment', 'merchantId')`
   select m.business_name, m.owner_email, m.category_code, m.payment_limit_pence,
     m.completed_at_settlement, m.avatar_url, m.accent_colour, m.support_email, m.support_phone,
     m.support_url, m.logo_file, s.cards_enabled, s.refunds_enabled, s.payouts_enabled,
     s.transfer_hub_paused, s.refunds_before_settlement, s.orders_guarded, s.signs_every_return,
     s.suspension_id is not null as is_suspended
   from merchant m
   join merchant_switch s on s.merchant_id = m.merchant_id and s.environment = :environment
   where m.merchant_id = :merchantId`,
);

export type MerchantSettingValues = {
  readonly merchantId: string;
  readonly businessName: string | null;
  readonly ownerEmail: string | null;
  readonly categoryCode: string | null;
  readonly paymentLimitPence: bigint | null;
  readonly completedAtSettlement: boolean | null;
  readonly avatarUrl: string | null;
  readonly accentColour: string | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
  /** Both or none. */
  readonly logo: Buffer | null;
  readonly logoFile: string | null;
};

/** Null leaves a setting as it is; the empty text takes it away. */
export const updateMerchant = statement<MerchantSettingValues, { readonly merchant_id: string }>(
  'merchant_update',
  sql(
    'merchantId',
    'businessName',
    'ownerEmail',
    'categoryCode',
    'paymentLimitPence',
    'completedAtSettlement',
    'avatarUrl',
    'accentColour',
    'supportEmail',
    'supportPhone',
    'supportUrl',
    'logo',
    'logoFile',
  )`
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
         'suspended_by', s.suspended_by, 'suspended_at', s.suspended_at)
         order by s.environment desc)
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
  readonly suspensions: readonly CurrentSuspension[] | null;
};

type NoMerchantRow = { readonly [Name in keyof ListedMerchantRow]: null };

/** As JSON has it. */
export type CurrentSuspension = Pick<SuspensionRow, 'environment' | 'reason' | 'suspended_by'> & {
  readonly suspended_at: string;
};

export type SwitchRow = Pick<
  MerchantRow,
  | 'cards_enabled'
  | 'refunds_enabled'
  | 'payouts_enabled'
  | 'transfer_hub_paused'
  | 'refunds_before_settlement'
  | 'orders_guarded'
  | 'signs_every_return'
>;

export const updateSwitches = statement<
  TenantValues & {
    readonly cardsEnabled: boolean | null;
    readonly refundsEnabled: boolean | null;
    readonly payoutsEnabled: boolean | null;
    readonly transferHubPaused: boolean | null;
    readonly refundsBeforeSettlement: boolean | null;
    readonly ordersGuarded: boolean | null;
    readonly signsEveryReturn: boolean | null;
  },
  SwitchRow
>(
  'merchant_switch_update',
  sql(
    'cardsEnabled',
    'refundsEnabled',
    'payoutsEnabled',
    'transferHubPaused',
    'refundsBeforeSettlement',
    'ordersGuarded',
    'signsEveryReturn',
    'merchantId',
    'environment',
  )`
   update merchant_switch set
     cards_enabled = coalesce(:cardsEnabled, cards_enabled),
     refunds_enabled = coalesce(:refundsEnabled, refunds_enabled),
     payouts_enabled = coalesce(:payoutsEnabled, payouts_enabled),
     transfer_hub_paused = coalesce(:transferHubPaused, transfer_hub_paused),
     refunds_before_settlement = coalesce(:refundsBeforeSettlement, refunds_before_settlement),
     orders_guarded = coalesce(:ordersGuarded, orders_guarded),
     signs_every_return = coalesce(:signsEveryReturn, signs_every_return)
   where merchant_id = :merchantId and environment = :environment
     and (not coalesce(:payoutsEnabled::boolean, false) or not exists (
       select from store_bank_account a where a.merchant_id = :merchantId
         and a.environment = :environment and a.is_placeholder))
   returning cards_enabled, refunds_enabled, payouts_enabled, transfer_hub_paused,
     refunds_before_settlement, orders_guarded, signs_every_return`,
  {
    guardedBy:
      'one row; no payouts to a placeholder; checks refuse a refund switch without payouts',
  },
);

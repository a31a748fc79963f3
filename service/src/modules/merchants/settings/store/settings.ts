import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type PayoutSettingsRow = {
  readonly settlement_period: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  readonly cut_off_minutes: number;
  readonly fee_fixed_pence: bigint;
  readonly fee_basis_points: number;
};

export const readPayoutSettings = statement<Tenant, PayoutSettingsRow>(
  'merchant_payout_settings_read',
  sql('merchantId', 'environment')`
   select settlement_period, cut_off_minutes, fee_fixed_pence, fee_basis_points
   from merchant_switch where merchant_id = :merchantId and environment = :environment`,
);

/** Null leaves a setting as it is. */
export const updatePayoutSettings = statement<
  Tenant & {
    readonly settlementPeriod: string | null;
    readonly cutOffMinutes: number | null;
    readonly feeFixedPence: string | null;
    readonly feeBasisPoints: number | null;
  },
  PayoutSettingsRow
>(
  'merchant_payout_settings_update',
  sql(
    'settlementPeriod',
    'cutOffMinutes',
    'feeFixedPence',
    'feeBasisPoints',
    'merchantId',
    'environment',
  )`
   update merchant_switch set
     settlement_period = coalesce(:settlementPeriod, settlement_period),
     cut_off_minutes = coalesce(:cutOffMinutes::smallint, cut_off_minutes),
     fee_fixed_pence = coalesce(:feeFixedPence::bigint, fee_fixed_pence),
     fee_basis_points = coalesce(:feeBasisPoints::int, fee_basis_points)
   where merchant_id = :merchantId and environment = :environment
   returning settlement_period, cut_off_minutes, fee_fixed_pence, fee_basis_points`,
  { guardedBy: 'primary key (merchant, environment): the later write wins' },
);

export const upsertAmountParts = statement<
  Tenant & { readonly taxPercentage: number; readonly servicePercentage: number },
  never
>(
  'amount_part_setting_upsert',
  sql('merchantId', 'environment', 'taxPercentage', 'servicePercentage')`
   insert into amount_part_setting
     (merchant_id, environment, tax_percentage, service_percentage)
   values (:merchantId, :environment, :taxPercentage, :servicePercentage)
   on conflict (merchant_id, environment) do update set tax_percentage = excluded.tax_percentage,
     service_percentage = excluded.service_percentage, updated_at = clock_timestamp()`,
  { guardedBy: 'primary key (merchant, environment): the later write wins' },
);

/** How far the tenant's own time is ahead, for a statement with :merchantId and :environment. */
export const clockOffsetSql = sql(
  'merchantId',
  'environment',
)`coalesce((select t.offset_ms * interval '1 millisecond'
  from tenant_clock t
  where t.merchant_id = :merchantId and t.environment = :environment), interval '0')`;

/** By the tenant's own clock. */
export const readTenantTime = statement<Tenant, { readonly now: Date }>(
  'tenant_time',
  sql('merchantId', 'environment')`select business_now(:merchantId, :environment) as now`,
);

export const updateExpiry = statement<Tenant & { readonly expiresInMs: number | null }, never>(
  'merchant_expiry_update',
  sql('expiresInMs', 'merchantId', 'environment')`
   update merchant_switch set expires_in_ms = :expiresInMs::bigint
   where merchant_id = :merchantId and environment = :environment`,
  { guardedBy: 'primary key (merchant, environment): the later write wins' },
);

export const updateRefundApproval = statement<
  Tenant & { readonly abovePence: string | null },
  { readonly merchant_id: string }
>(
  'merchant_refund_approval_update',
  sql('abovePence', 'merchantId', 'environment')`
   update merchant_switch set refund_approval_above_pence = :abovePence::bigint
   where merchant_id = :merchantId and environment = :environment and suspension_id is null
   returning merchant_id`,
  {
    guardedBy: 'primary key (merchant, environment): the later write wins; none of a suspended one',
  },
);

type TipValues = Tenant & {
  readonly tipId: string;
  readonly isEnabled: boolean;
  readonly tipType: string;
  readonly options: readonly number[];
  readonly allowsCustom: boolean;
};

export const readTipRow = statement<
  Tenant,
  {
    readonly is_enabled: boolean;
    readonly tip_type: 'FIXED' | 'PERCENTAGE';
    readonly options: readonly number[];
    readonly allows_custom: boolean;
  }
>(
  'tip_setting_read',
  sql('merchantId', 'environment')`
   select is_enabled, tip_type, options, allows_custom from tip_setting
   where merchant_id = :merchantId and environment = :environment`,
);

export const upsertTips = statement<TipValues, never>(
  'tip_setting_upsert',
  sql('merchantId', 'environment', 'tipId', 'isEnabled', 'tipType', 'options', 'allowsCustom')`
   insert into tip_setting
     (merchant_id, environment, tip_id, is_enabled, tip_type, options, allows_custom)
   values (:merchantId, :environment, :tipId, :isEnabled, :tipType, :options, :allowsCustom)
   on conflict (merchant_id, environment) do update set is_enabled = excluded.is_enabled,
     tip_type = excluded.tip_type, options = excluded.options,
     allows_custom = excluded.allows_custom, updated_at = clock_timestamp()`,
  { guardedBy: 'primary key (merchant, environment): the later write wins' },
);

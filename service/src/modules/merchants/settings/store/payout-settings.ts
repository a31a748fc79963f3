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

import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type TipValues = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly tipId: string;
  readonly isEnabled: boolean;
  readonly tipType: string;
  readonly options: readonly number[];
  readonly allowsCustom: boolean;
};

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

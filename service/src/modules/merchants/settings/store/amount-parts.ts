import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type AmountPartValues = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly taxPercentage: number;
  readonly servicePercentage: number;
};

export const upsertAmountParts = statement<AmountPartValues, never>(
  'amount_part_setting_upsert',
  sql('merchantId', 'environment', 'taxPercentage', 'servicePercentage')`
   insert into amount_part_setting
     (merchant_id, environment, tax_percentage, service_percentage)
   values (:merchantId, :environment, :taxPercentage, :servicePercentage)
   on conflict (merchant_id, environment) do update set tax_percentage = excluded.tax_percentage,
     service_percentage = excluded.service_percentage, updated_at = clock_timestamp()`,
  { guardedBy: 'primary key (merchant, environment): the later write wins' },
);

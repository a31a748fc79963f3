import { sql } from '#platform/database/sql.ts';

export const partColumns = 'tax_percentage, service_percentage, tax_pence, service_pence';

export const partsOf = (row: string, amountPence: string): string =>
  `${row}.tax, ${row}.service,
       included_pence(${amountPence}, ${row}.tax, ${row}.service),
       included_pence(${amountPence}, ${row}.service, ${row}.tax)`;

export const settingColumns =
  'coalesce(p.tax_percentage, 0) as tax, coalesce(p.service_percentage, 0) as service';

/** The tax and service charge of a new request by the merchant's setting, within its insert. */
export const settingJoin = sql(
  'merchantId',
  'environment',
)`left join amount_part_setting p on p.merchant_id = :merchantId
       and p.environment = :environment`;

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

/** Values of a request that never change. */
export type RequestFields = {
  readonly merchantCustomerReference: string;
  readonly orderId: string;
  readonly customerId: string | null;
  readonly paymentMethods: readonly string[] | null;
  /** The card is saved for later if it is authenticated. */
  readonly savesPaymentMethod: boolean;
  readonly autoRedirects: boolean;
  readonly institutionId: string | null;
  readonly consumerDetails: Readonly<Record<string, string>> | null;
  readonly callbackParams: Readonly<Record<string, string | number | boolean>>;
  readonly notes: string | null;
  readonly tipsEnabled: boolean;
  readonly retryAllowed: boolean;
  readonly redirectUrl: string | null;
  readonly splitsBill: boolean;
  readonly template: string | null;
  readonly paymentType: string | null;
  readonly strictExpiry: boolean;
  readonly channel: Channel;
  /** As the cashier calls it; of the channel TILL only. */
  readonly tillName: string | null;
};

/** Through what it was made: a merchant's program, a member, the till or a printed code. */
export type Channel = 'API' | 'DASHBOARD' | 'TILL' | 'CODE';

type Column = { readonly column: string; readonly type: string };

// Declared once for the insert, its recordset and the read.
const columnOf = {
  merchantCustomerReference: { column: 'merchant_customer_reference', type: 'text' },
  orderId: { column: 'order_id', type: 'text' },
  customerId: { column: 'customer_id', type: 'uuid' },
  paymentMethods: { column: 'payment_methods', type: 'text[]' },
  savesPaymentMethod: { column: 'saves_payment_method', type: 'boolean' },
  autoRedirects: { column: 'auto_redirects', type: 'boolean' },
  institutionId: { column: 'institution_id', type: 'text' },
  consumerDetails: { column: 'consumer_details', type: 'jsonb' },
  callbackParams: { column: 'callback_params', type: 'jsonb' },
  notes: { column: 'notes', type: 'text' },
  tipsEnabled: { column: 'tips_enabled', type: 'boolean' },
  retryAllowed: { column: 'retry_allowed', type: 'boolean' },
  redirectUrl: { column: 'redirect_url', type: 'text' },
  splitsBill: { column: 'splits_bill', type: 'boolean' },
  template: { column: 'template', type: 'text' },
  paymentType: { column: 'payment_type', type: 'text' },
  strictExpiry: { column: 'strict_expiry', type: 'boolean' },
  channel: { column: 'channel', type: 'text' },
  tillName: { column: 'till_name', type: 'text' },
} as const satisfies Record<keyof RequestFields, Column>;

const members = Object.entries(columnOf) as [keyof RequestFields, Column][];

export const requestColumns = Object.fromEntries(
  members.map(([, { column, type }]) => [column, type]),
);

export const requestToRow = (fields: RequestFields): Record<string, unknown> => {
  const row: Record<string, unknown> = {};
  for (const [member, { column }] of members) row[column] = fields[member];
  return row;
};

export const requestFromRow = (row: Readonly<Record<string, unknown>>): RequestFields => {
  const fields: Partial<Record<keyof RequestFields, unknown>> = {};
  for (const [member, { column }] of members) fields[member] = row[column];
  return fields as RequestFields;
};

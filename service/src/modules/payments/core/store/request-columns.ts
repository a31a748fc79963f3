import { sql } from '#platform/database/sql.ts';
import { type Column, membersFrom, membersTo, typesOf } from './member-columns.ts';

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

/** In JSON: pence as a number. */
export type StoredLineItem = {
  readonly name: string;
  readonly quantity: number;
  readonly amountPence: number;
};

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
  readonly lineItems: readonly StoredLineItem[] | null;
  readonly payerNote: string | null;
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
  /** Of the call that made it; its bank and its webhooks get it too (WIRE-23). */
  readonly requestId: string | null;
  readonly traceparent: string | null;
};

/** Through what it was made: a merchant's program, a member, the till or a printed code. */
export type Channel = 'API' | 'DASHBOARD' | 'TILL' | 'CODE';

// Declared once for the insert, its recordset and the read.
const columnOf = {
  merchantCustomerReference: ['merchant_customer_reference', 'text'],
  orderId: ['order_id', 'text'],
  customerId: ['customer_id', 'uuid'],
  paymentMethods: ['payment_methods', 'text[]'],
  savesPaymentMethod: ['saves_payment_method', 'boolean'],
  autoRedirects: ['auto_redirects', 'boolean'],
  institutionId: ['institution_id', 'text'],
  consumerDetails: ['consumer_details', 'jsonb'],
  callbackParams: ['callback_params', 'jsonb'],
  notes: ['notes', 'text'],
  lineItems: ['line_items', 'jsonb'],
  payerNote: ['payer_note', 'text'],
  tipsEnabled: ['tips_enabled', 'boolean'],
  retryAllowed: ['retry_allowed', 'boolean'],
  redirectUrl: ['redirect_url', 'text'],
  splitsBill: ['splits_bill', 'boolean'],
  template: ['template', 'text'],
  paymentType: ['payment_type', 'text'],
  strictExpiry: ['strict_expiry', 'boolean'],
  channel: ['channel', 'text'],
  tillName: ['till_name', 'text'],
  requestId: ['request_id', 'uuid'],
  traceparent: ['traceparent', 'text'],
} as const satisfies Record<keyof RequestFields, Column>;

export const requestColumns = typesOf(columnOf);

export const requestToRow = (fields: RequestFields): Record<string, unknown> =>
  membersTo(columnOf, fields);

export const requestFromRow = (row: Readonly<Record<string, unknown>>): RequestFields =>
  membersFrom(columnOf, row) as RequestFields;

import { type Environment, type Tenant, tenantOf } from '#kernel/environment.ts';
import { pence } from '#kernel/pence.ts';
import { tillFields, type VoidedSale } from '#modules/events/index.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Refund } from '../refund.ts';

export type RefundRow = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly refund_id: string;
  readonly payment_request_id: string;
  readonly attempt_id: string;
  readonly payment_idempotency_id: string;
  readonly order_id: string;
  readonly store_id: string;
  readonly secret_id: string;
  readonly method: Refund['method'];
  readonly status: Refund['status'];
  readonly step: Refund['step'];
  readonly waits_for: Refund['waitsFor'];
  readonly version: number;
  readonly amount_pence: bigint;
  readonly paid_pence: bigint;
  readonly notes: string | null;
  readonly sale: SaleRow | null;
  readonly account_encrypted: Buffer | null;
  readonly end_to_end_id: string | null;
  readonly rail_state_encrypted: Buffer | null;
  readonly rail_reference: string | null;
  readonly error_code: string | null;
  readonly error_description: string | null;
  readonly event_sequence: number;
  readonly poll_count: number;
  readonly due_business_at: Date | null;
  readonly handed_over_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly now: Date;
};

type SaleRow = Omit<VoidedSale, 'customFields' | 'taxPence' | 'servicePence'> & {
  readonly tillName: string;
  readonly taxPence: string;
  readonly servicePence: string;
};

const saleOf = ({ tillName, taxPence, servicePence, ...row }: SaleRow): VoidedSale => ({
  ...row,
  taxPence: pence(BigInt(taxPence)),
  servicePence: pence(BigInt(servicePence)),
  customFields: tillFields(tillName),
});

export const refundOf = (row: RefundRow): Refund => ({
  tenant: tenantOf(row),
  refundId: row.refund_id,
  paymentRequestId: row.payment_request_id,
  attemptId: row.attempt_id,
  paymentIdempotencyId: row.payment_idempotency_id,
  orderId: row.order_id,
  storeId: row.store_id,
  secretId: row.secret_id,
  method: row.method,
  status: row.status,
  step: row.step,
  waitsFor: row.waits_for,
  version: row.version,
  amountPence: pence(row.amount_pence),
  paidPence: pence(row.paid_pence),
  notes: row.notes,
  sale: row.sale && saleOf(row.sale),
  accountEncrypted: row.account_encrypted,
  endToEndId: row.end_to_end_id,
  railStateEncrypted: row.rail_state_encrypted,
  railReference: row.rail_reference,
  errorCode: row.error_code,
  errorDescription: row.error_description,
  eventSequence: row.event_sequence,
  pollCount: row.poll_count,
  dueBusinessAt: row.due_business_at,
  handedOverAt: row.handed_over_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  now: row.now,
});

/** Of a payment of the till only: what POS_PAYMENT_STATUS says of it. */
const sale = `(select jsonb_build_object('customerReference', p.merchant_customer_reference,
    'consumerId', a.application_user_id, 'merchantName', m.business_name,
    'redirectUrlParams', p.callback_params, 'notes', p.notes, 'tillName', p.till_name,
    'taxPence', coalesce(a.tax_pence, p.tax_pence)::text,
    'servicePence', coalesce(a.service_pence, p.service_pence)::text)
  from payment_request p
  join attempt a on a.merchant_id = r.merchant_id and a.environment = r.environment
    and a.attempt_id = r.attempt_id
  join merchant m on m.merchant_id = r.merchant_id
  where p.merchant_id = r.merchant_id and p.environment = r.environment
    and p.payment_request_id = r.payment_request_id and p.channel = 'TILL')`;

export const withNow = sql()`r.*, ${sale} as sale,
  date_trunc('milliseconds', clock_timestamp()) + clock.moved as now`;

const readOne = statement<Tenant & { readonly refundId: string }, RefundRow>(
  'refund_read',
  sql('merchantId', 'environment', 'refundId')`
   select ${withNow} from refund r cross join (select ${clockOffsetSql} as moved) clock
   where r.merchant_id = :merchantId and r.environment = :environment
     and r.refund_id = :refundId`,
);

const readMany = statement<Tenant & { readonly refundIds: readonly string[] }, RefundRow>(
  'refund_read_many',
  sql('merchantId', 'environment', 'refundIds')`
   select ${withNow} from refund r cross join (select ${clockOffsetSql} as moved) clock
   where r.merchant_id = :merchantId and r.environment = :environment
     and r.refund_id = any (:refundIds::uuid[])
   order by r.refund_id`,
);

const readOfPayment = statement<Tenant & { readonly paymentRequestId: string }, RefundRow>(
  'refund_read_of_payment',
  sql('merchantId', 'environment', 'paymentRequestId')`
   select ${withNow} from refund r cross join (select ${clockOffsetSql} as moved) clock
   where r.merchant_id = :merchantId and r.environment = :environment
     and r.payment_request_id = :paymentRequestId
   order by r.created_at, r.refund_id`,
);

export const readRefund = async (
  database: Database,
  tenant: Tenant,
  refundId: string,
): Promise<Refund | null> => {
  const [row] = await database.tenant(tenant.merchantId, readOne, { ...tenant, refundId });
  return row ? refundOf(row) : null;
};

/** In the order of their ids, which is the order in which a statement locks them. */
export const readRefunds = async (
  database: Database,
  tenant: Tenant,
  refundIds: readonly string[],
): Promise<readonly Refund[]> => {
  const values = { ...tenant, refundIds };
  return (await database.tenant(tenant.merchantId, readMany, values)).map(refundOf);
};

export const readRefundsOf = async (
  database: Database,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<readonly Refund[]> => {
  const values = { ...tenant, paymentRequestId };
  return (await database.tenant(tenant.merchantId, readOfPayment, values)).map(refundOf);
};

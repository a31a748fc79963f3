import { type Tenant, tenantOf } from '#kernel/environment.ts';
import { pence } from '#kernel/pence.ts';
import { tillFields, type VoidedSale } from '#modules/events/index.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import { membersOf, type RowOf } from '#platform/database/members-of.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Refund } from '../refund.ts';

type Read = Omit<Refund, 'tenant' | 'sale'>;

export type RefundRow = RowOf<Tenant & Read> & { readonly sale: SaleRow | null };

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
  ...membersOf<Read>(row),
  tenant: tenantOf(row),
  sale: row.sale && saleOf(row.sale),
});

/** Of a payment of the till only: what POS_PAYMENT_STATUS says of it. */
const sale = `(select jsonb_build_object('customerReference', p.merchant_customer_reference,
    'consumerId', coalesce(a.application_user_id, a.attempt_id), 'merchantName', m.business_name,
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

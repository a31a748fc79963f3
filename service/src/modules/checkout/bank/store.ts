import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type ReferenceValues = {
  readonly merchantId: string;
  readonly environment: string;
  readonly merchantCustomerReference: string;
};

type PaidWith = {
  readonly institution_id: string;
  readonly consumer_details: Readonly<Record<string, string>> | null;
};

const maxRequests = 10;

/** The last paid requests with the merchant's own reference: the bank and the named customer. */
export const lastBanks = statement<ReferenceValues, PaidWith>(
  'checkout_last_banks',
  sql('merchantId', 'environment', 'merchantCustomerReference')`
   select a.institution_id, r.consumer_details
   from (select * from payment_request r
     where r.merchant_id = :merchantId and r.environment = :environment
       and r.merchant_customer_reference = :merchantCustomerReference and r.status = 'PAID'
     order by r.created_at desc limit ${maxRequests}) r
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_request_id = r.payment_request_id and a.status = 'COMPLETED'
     and a.method = 'PAY_BY_BANK'
   order by a.created_at desc`,
);

type CustomerValues = {
  readonly merchantId: string;
  readonly environment: string;
  readonly customerId: string;
};

/** The last attempts of one customer, under any reference: the bank they paid with. */
export const lastBankOfCustomer = statement<CustomerValues, Pick<PaidWith, 'institution_id'>>(
  'checkout_last_bank_of_customer',
  sql('merchantId', 'environment', 'customerId')`
   select a.institution_id
   from (select payment_request_id, position, status, method, created_at from transaction_item
     where merchant_id = :merchantId and environment = :environment
       and customer_id = :customerId::uuid
     order by created_at desc limit ${maxRequests}) i
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_request_id = i.payment_request_id and a.position = i.position
   where wire_status(i.status) = 'COMPLETED' and i.method = 'PAY_BY_BANK'
   order by i.created_at desc limit 1`,
);

import type { Environment } from '#kernel/environment.ts';
import { removeCustomerSql } from '#modules/customers/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type CustomerKey = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly customerId: string;
};

// Earlier authorisations may still be captured: by then all of them have ended.
const customerLivesDays = 31;

const detachmentOf = (gone: string, reason: 'DELETED' | 'CUSTOMER_DELETED') => sql(
  'merchantId',
  'environment',
)`
  insert into card_detachment (merchant_id, environment, reference_id, customer_id, account_key,
    reference_encrypted, reason)
  select :merchantId, :environment, ${gone}.reference_id, ${gone}.customer_id,
    ${gone}.account_key, ${gone}.reference_encrypted, '${reason}'
  from ${gone} where ${gone}.reference_encrypted is not null`;

/** The row is kept without what could be charged, so that charging it gets a clear failure. */
export const deleteCardRow = statement<
  CustomerKey & { readonly cardId: string },
  { readonly card_id: string }
>(
  'card_delete',
  sql('merchantId', 'environment', 'customerId', 'cardId')`
   with known as materialized (
     select merchant_id, environment, card_id, reference_id, customer_id, account_key,
       reference_encrypted
     from card
     where merchant_id = :merchantId and environment = :environment
       and customer_id = :customerId and card_id = :cardId and deleted_at is null
     for update),
   gone as (
     update card c set reference_encrypted = null, cardholder_name = null,
       deleted_at = business_now(:merchantId, :environment),
       updated_at = business_now(:merchantId, :environment)
     from known k
     where c.merchant_id = k.merchant_id and c.environment = k.environment
       and c.card_id = k.card_id
     returning k.card_id, k.reference_id, k.customer_id, k.account_key, k.reference_encrypted),
   detached as (${detachmentOf('gone', 'DELETED')})
   select card_id from gone`,
  {
    guardedBy:
      'deleted_at is null, of the locked row: a card is deleted, and its detachment queued, once',
  },
);

/**
 * Deletes the customer with all cards, here and at the processor, or nothing. A card that is being
 * saved concurrently is waited for and not seen: its foreign key fails the delete, which is then
 * run again.
 */
export const deleteCustomerRow = statement<CustomerKey, { readonly customer_id: string }>(
  'card_delete_customer',
  sql('merchantId', 'environment', 'customerId')`
   with gone as (
     delete from card
     where merchant_id = :merchantId and environment = :environment
       and customer_id = :customerId
     returning reference_id, customer_id, account_key, reference_encrypted),
   detached as (${detachmentOf('gone', 'CUSTOMER_DELETED')}),
   forgotten as (
     delete from card_customer
     where merchant_id = :merchantId and environment = :environment
       and customer_id = :customerId
     returning customer_id, account_key, reference_encrypted),
   detached_customer as (
     insert into card_detachment (merchant_id, environment, kind, reference_id, customer_id,
       account_key, reference_encrypted, reason, due_at)
     select :merchantId, :environment, 'CUSTOMER', gen_random_uuid(), customer_id, account_key,
       reference_encrypted, 'CUSTOMER_DELETED',
       clock_timestamp() + ${customerLivesDays} * interval '1 day'
     from forgotten)
   ${removeCustomerSql}`,
  { guardedBy: 'foreign keys refuse while a card is being saved; the caller runs it again' },
);

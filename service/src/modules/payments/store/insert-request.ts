import type { Database } from '#platform/database/open-database.ts';
import { statement } from '#platform/database/statement.ts';
import type { Caller, IdempotencyKey } from '#platform/http/route.ts';
import { type CheckedRequest, isCardOnly } from '../check-request.ts';
import { partColumns, partsOf, settingColumns, settingJoin } from './amount-part-sql.ts';

export type Inserted = {
  readonly store_found: boolean;
  readonly customer_found: boolean;
  readonly limit_pence: bigint;
  readonly cards_enabled: boolean;
  readonly inserted: boolean;
};

/**
 * The request, its directory entry and its Idempotency-Key in one statement. A concurrent loser of the
 * key waits for the winner and inserts nothing; the reply is then read from the key.
 */
const insert = statement<Values, Inserted>(
  'payment_request_insert',
  `with tenant as (
     select date_trunc('milliseconds', clock_timestamp()) + c.moved as now, c.moved,
       m.payment_limit_pence as limit_pence, w.cards_enabled,
       ${settingColumns}
     from merchant m
     join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
     join lateral (select t.offset_ms * interval '1 millisecond' as moved from tenant_clock t
       where t.merchant_id = :merchantId and t.environment = :environment) c on true
     ${settingJoin}
     where m.merchant_id = :merchantId),
   chosen_store as (
     select s.store_id from store s
     where s.merchant_id = :merchantId and s.environment = :environment and s.is_enabled
       and (s.store_id = :storeId::uuid or (:storeId::uuid is null and s.is_primary))),
   allowed as (
     select tenant.now, tenant.moved, tenant.tax, tenant.service, chosen_store.store_id
     from tenant, chosen_store
     where :amountPence::bigint <= tenant.limit_pence
       and (:needsCards::boolean is false or tenant.cards_enabled)
       and (:customerId::uuid is null or exists (select from customer c
         where c.merchant_id = :merchantId and c.environment = :environment
           and c.customer_id = :customerId::uuid))),
   claimed as (
     insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256,
       status_code, reply)
     select :merchantId, :environment, 'requestPayment', :idempotencyKey, :bodySha256, 200, :reply
     from allowed where :idempotencyKey::text is not null
     on conflict do nothing returning 1),
   request as (
     insert into payment_request (merchant_id, environment, payment_request_id,
       merchant_customer_reference, order_id, amount_pence, store_id, customer_id, secret_id,
       payment_methods, saves_payment_method, auto_redirects, institution_id, consumer_details,
       callback_params, notes, tips_enabled, retry_allowed, redirect_url, splits_bill, template,
       payment_type, strict_expiry, expires_in_ms, expires_business_at, expires_at,
       created_at, updated_at, ${partColumns})
     select :merchantId, :environment, :paymentRequestId, :merchantCustomerReference, :orderId,
       :amountPence::bigint, allowed.store_id, :customerId::uuid, :secretId, :paymentMethods,
       :savesPaymentMethod, :autoRedirects, :institutionId, :consumerDetails::jsonb,
       :callbackParams::jsonb, :notes, :tipsEnabled, :retryAllowed, :redirectUrl, :splitsBill,
       :template, :paymentType, :strictExpiry, :expiresInMs::bigint,
       allowed.now + :expiresInMs::bigint * interval '1 millisecond',
       allowed.now + :expiresInMs::bigint * interval '1 millisecond' - allowed.moved,
       allowed.now, allowed.now, ${partsOf('allowed')}
     from allowed where :idempotencyKey::text is null or exists (select from claimed)
     returning payment_request_id),
   directory as (
     insert into public_id (public_id, kind, merchant_id, environment, target_id)
     select :paymentRequestId::text, 'PAYMENT_REQUEST', :merchantId, :environment,
       request.payment_request_id from request)
   select exists (select from chosen_store) as store_found, tenant.limit_pence, tenant.cards_enabled,
     (:customerId::uuid is null or exists (select from customer c
       where c.merchant_id = :merchantId and c.environment = :environment
         and c.customer_id = :customerId::uuid)) as customer_found,
     exists (select from request) as inserted
   from tenant`,
);

type Values = Omit<CheckedRequest, 'consumerDetails' | 'callbackParams'> & {
  readonly merchantId: string;
  readonly environment: string;
  readonly paymentRequestId: string;
  readonly secretId: string;
  readonly consumerDetails: string | null;
  readonly callbackParams: string;
  readonly needsCards: boolean;
  readonly idempotencyKey: string | null;
  readonly bodySha256: Buffer | null;
  readonly reply: string;
};

export const insertRequest = async (
  database: Database,
  caller: Caller,
  paymentRequestId: string,
  checked: CheckedRequest,
  kept: { readonly key: IdempotencyKey | null; readonly reply: string },
): Promise<Inserted | undefined> => {
  const { tenant, secretId, redirectUrl } = caller;
  const [row] = await database.tenant(tenant.merchantId, insert, {
    ...checked,
    ...tenant,
    paymentRequestId,
    secretId,
    redirectUrl: checked.redirectUrl ?? redirectUrl,
    consumerDetails: checked.consumerDetails && JSON.stringify(checked.consumerDetails),
    callbackParams: JSON.stringify(checked.callbackParams),
    needsCards: checked.savesPaymentMethod || isCardOnly(checked),
    idempotencyKey: kept.key?.key ?? null,
    bodySha256: kept.key?.bodySha256 ?? null,
    reply: kept.reply,
  });
  return row;
};

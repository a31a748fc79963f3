import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type TenantValues = { readonly merchantId: string; readonly environment: Environment };
type Payments = TenantValues & { readonly ids: readonly string[] };

export const listPaymentsOfCustomer = statement<
  TenantValues & { readonly customerId: string },
  { readonly payment_request_id: string; readonly is_live: boolean }
>(
  'erasure_payments_of_customer',
  sql('merchantId', 'environment', 'customerId')`
   select payment_request_id, status = 'OPEN' or live_attempt_count > 0 as is_live
   from payment_request
   where merchant_id = :merchantId and environment = :environment and customer_id = :customerId`,
);

export type AttemptRow = {
  readonly attempt_id: string;
  readonly payment_request_id: string;
  readonly position: number;
  readonly order_id: string;
  readonly total_pence: bigint;
  readonly payer_encrypted: Buffer | null;
  /** Its bank or processor may still report something, with names. */
  readonly is_polled: boolean;
};

export const listAttempts = statement<Payments, AttemptRow>(
  'erasure_attempts',
  sql('merchantId', 'environment', 'ids')`
   select a.attempt_id, a.payment_request_id, a.position, r.order_id,
     a.amount_pence + a.tip_pence as total_pence, a.payer_encrypted,
     exists (select from attempt_poll p where p.merchant_id = a.merchant_id
       and p.environment = a.environment and p.attempt_id = a.attempt_id)
       or exists (select from dispute_answer d where d.merchant_id = a.merchant_id
         and d.environment = a.environment and d.attempt_id = a.attempt_id
         and d.due_at is not null) as is_polled
   from attempt a join payment_request r on r.merchant_id = a.merchant_id
     and r.environment = a.environment and r.payment_request_id = a.payment_request_id
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_request_id = any(:ids::uuid[])`,
);

/**
 * Amounts and ids stay. `version` rises, so that no writer puts back what it read before. A refund that is
 * open goes to the account that paid, which stays until then.
 */
export const erasePaymentRows = statement<Payments & { readonly polled: readonly string[] }, never>(
  'erasure_payment_rows',
  sql('merchantId', 'environment', 'ids', 'polled')`
   with refunding as materialized (
     select attempt_id, payment_request_id from refund
     where merchant_id = :merchantId and environment = :environment
       and payment_request_id = any(:ids::uuid[]) and step <> 'ENDED'
   ), request as (
     update payment_request set version = version + 1, consumer_details = null, notes = null,
       line_items = null, payer_note = null,
       merchant_customer_reference = 'erased ' || payment_request_id, callback_params = '{}',
       redirect_url = null,
       personal_data_erased_at = case when payment_request_id <> all(:polled::uuid[])
         and payment_request_id not in (select o.payment_request_id from refunding o)
         then clock_timestamp() end
     where merchant_id = :merchantId and environment = :environment
       and payment_request_id = any(:ids::uuid[]) and status <> 'OPEN' and live_attempt_count = 0
     returning payment_request_id
   ), attempts as (
     update attempt set consumer_name = null, payment_device = null,
       payer_encrypted = case when attempt_id in (select o.attempt_id from refunding o)
         then payer_encrypted end,
       application_user_id = null, cancelled_reason_description = null
     where merchant_id = :merchantId and environment = :environment
       and payment_request_id in (select payment_request_id from request)
   )
   update payment_history set detail = null
   where merchant_id = :merchantId and environment = :environment
     and payment_request_id in (select payment_request_id from request) and detail is not null
     and trigger not in ('refundedLate', 'lateRefundFailed', 'refundedAtProcessor',
       'refundAtProcessorFailed')`,
  { guardedBy: 'the status and version of each request; a repeat changes nothing' },
);

/** `rows`: for each attempt the words that are no name. */
export const eraseSearchWords = statement<TenantValues & { readonly rows: string }, never>(
  'erasure_search_words',
  sql('merchantId', 'environment', 'rows')`
   with known as materialized (
     select i.payment_request_id, i.position, i.created_at, i.words, k.words as remaining
     from jsonb_to_recordset(:rows::jsonb) as k (payment_request_id uuid, position int, words text)
     join transaction_item i on i.payment_request_id = k.payment_request_id
       and i.position = k.position
     where i.merchant_id = :merchantId and i.environment = :environment
   ), gone as (
     select known.*, w.word
     from known, unnest(string_to_array(btrim(known.words), ' ')) as w (word)
     where w.word <> all(string_to_array(btrim(known.remaining), ' '))
   ), words as (
     delete from transaction_word t using gone
     where t.merchant_id = :merchantId and t.environment = :environment and t.word = gone.word
       and t.created_at = gone.created_at and t.payment_request_id = gone.payment_request_id
       and t.position = gone.position
   )
   update transaction_item i set words = known.remaining from known
   where i.merchant_id = :merchantId and i.environment = :environment
     and i.payment_request_id = known.payment_request_id and i.position = known.position`,
  { guardedBy: 'the words that were read; a repeat changes nothing' },
);

export const eraseReceipts = statement<
  TenantValues & { readonly attemptIds: readonly string[] },
  never
>(
  'erasure_receipts',
  sql('merchantId', 'environment', 'attemptIds')`
   delete from receipt_mail where merchant_id = :merchantId and environment = :environment
     and attempt_id = any(:attemptIds::uuid[])`,
  { guardedBy: 'a repeat finds nothing' },
);

/** What operators wrote about these payments. */
export const eraseCaseTexts = statement<
  TenantValues & { readonly subjects: readonly string[] },
  never
>(
  'erasure_case_texts',
  sql('merchantId', 'environment', 'subjects')`
   with about as (
     update operator_case set resolution = 'erased'
     where merchant_id = :merchantId and environment = :environment and status = 'RESOLVED'
       and (subject = any(:subjects::text[])
         or evidence ->> 'paymentRequestId' = any(:subjects::text[]))
     returning case_id)
   update operator_case_history h set detail = 'erased' from about
   where h.case_id = about.case_id and h.detail <> 'erased'`,
  { guardedBy: 'a repeat changes nothing', readsWholeTables: true },
);

export type RefundRow = {
  readonly refund_id: string;
  readonly is_open: boolean;
  readonly account_encrypted: Buffer | null;
  readonly end_to_end_id: string | null;
  readonly creditor_encrypted: Buffer | null;
};

export const listRefunds = statement<Payments, RefundRow>(
  'erasure_refunds',
  sql('merchantId', 'environment', 'ids')`
   select r.refund_id, r.step <> 'ENDED' as is_open, r.account_encrypted, t.end_to_end_id,
     t.creditor_encrypted
   from refund r left join transfer t on t.merchant_id = r.merchant_id
     and t.environment = r.environment and t.end_to_end_id = r.end_to_end_id
   where r.merchant_id = :merchantId and r.environment = :environment
     and r.payment_request_id = any(:ids::uuid[])`,
);

type Refunds = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly refundIds: readonly string[];
};

export const eraseRefundRows = statement<Refunds, never>(
  'erasure_refund_rows',
  sql('merchantId', 'environment', 'refundIds')`
   with ended as (
     update refund set notes = null, account_encrypted = null
     where merchant_id = :merchantId and environment = :environment
       and refund_id = any(:refundIds::uuid[]) and step = 'ENDED'
     returning refund_id)
   update refund_history set detail = null
   where merchant_id = :merchantId and environment = :environment
     and refund_id in (select refund_id from ended) and detail is not null`,
  { guardedBy: 'the step of the refund; a repeat changes nothing' },
);

/** What members wrote about refunds that needed a second person. Their names stay: they decided. */
export const eraseApprovals = statement<Payments, never>(
  'erasure_refund_approvals',
  sql('merchantId', 'environment', 'ids')`
   with erased as (
     update refund_approval set notes = null, reason = null
     where merchant_id = :merchantId and environment = :environment
       and payment_request_id = any(:ids::uuid[]) and (notes is not null or reason is not null)
     returning approval_id)
   update refund_approval_history set detail = null
   where merchant_id = :merchantId and environment = :environment
     and approval_id in (select approval_id from erased) and detail is not null`,
  { guardedBy: 'a repeat changes nothing' },
);

/** What members wrote and uploaded in answer to disputes; the processor deletes its files by itself. */
export const eraseDisputeAnswers = statement<Payments, never>(
  'erasure_dispute_answers',
  sql('merchantId', 'environment', 'ids')`
   with erased as (
     update dispute_answer set evidence = '{}', files = '{}', refusal = null, version = version + 1
     where merchant_id = :merchantId and environment = :environment
       and payment_request_id = any(:ids::uuid[]) and due_at is null
       and (evidence <> '{}' or files <> '{}' or refusal is not null)
     returning answer_id)
   update dispute_answer_history set detail = null, evidence = null, files = null
   where merchant_id = :merchantId and environment = :environment
     and answer_id in (select answer_id from dispute_answer
       where merchant_id = :merchantId and environment = :environment
         and payment_request_id = any(:ids::uuid[]) and due_at is null)
     and (detail is not null or evidence is not null or files is not null)`,
  { guardedBy: 'what is on its way is erased later; a repeat changes nothing' },
);

/** The account that a transfer went to: what stands there instead is encrypted too. */
export const eraseTransfer = statement<
  {
    readonly merchantId: string;
    readonly environment: Environment;
    readonly endToEndId: string;
    readonly creditorEncrypted: Buffer;
  },
  never
>(
  'erasure_transfer',
  sql('merchantId', 'environment', 'endToEndId', 'creditorEncrypted')`
   update transfer set creditor_encrypted = :creditorEncrypted
   where merchant_id = :merchantId and environment = :environment and end_to_end_id = :endToEndId`,
  { guardedBy: 'a repeat changes nothing that can be read' },
);

/** A name in the bank's reports about a transfer. */
export const eraseNameInMessages = statement<
  { readonly environment: Environment; readonly endToEndId: string; readonly name: string },
  never
>(
  'erasure_bank_messages',
  sql('environment', 'endToEndId', 'name')`
   update bank_message set text = replace(text, :name, 'erased')
   where environment = :environment and strpos(text, :endToEndId) > 0 and strpos(text, :name) > 0`,
  { guardedBy: 'a repeat changes nothing', readsWholeTables: true },
);

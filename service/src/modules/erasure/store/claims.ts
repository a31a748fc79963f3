import type { Environment } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff, putOffRows, stuckRows } from '#platform/database/stuck-rows.ts';

export type ClaimedErasure = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly customer_id: string;
};

const isFree = `(leased_until is null or leased_until < statement_timestamp())
       and ${isNotPutOff('erasure', 'customer_id', 'ERASE')}`;

export const eraseDueAt = earliestDue({
  at: 'due_at',
  from: 'erasure',
  indexed: 'done_at is null',
  and: isFree,
});

export const claimErasures = statement<
  { readonly limit: number; readonly leaseMs: number },
  ClaimedErasure
>(
  'erasure_claim',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select merchant_id, environment, customer_id from erasure
     where ${ofShare()} and done_at is null and due_at <= statement_timestamp()
       and ${isFree}
     order by due_at limit :limit for update skip locked`)})
   update erasure e set leased_until = statement_timestamp() + :leaseMs::int * interval '1 millisecond'
   from due where e.merchant_id = due.merchant_id and e.environment = due.environment
     and e.customer_id = due.customer_id
   returning e.merchant_id, e.environment, e.customer_id`,
  { guardedBy: 'lease and skip locked: one worker erases a customer' },
);

/** It failed, and is put off. */
export const releaseErasure = statement<CustomerKey, never>(
  'erasure_release',
  sql('merchantId', 'environment', 'customerId')`
   update erasure set leased_until = null
   where merchant_id = :merchantId and environment = :environment and customer_id = :customerId
     and done_at is null`,
  { guardedBy: 'done_at: what is done stays so, and every step of an erasure may be repeated' },
);

type CustomerKey = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly customerId: string;
};

/** `retryMs` null: nothing is left to erase. */
export const finishErasure = statement<CustomerKey & { readonly retryMs: number | null }, never>(
  'erasure_finish',
  sql('merchantId', 'environment', 'customerId', 'retryMs')`
   update erasure set leased_until = null,
     done_at = case when :retryMs::bigint is null then clock_timestamp() end,
     due_at = clock_timestamp() + coalesce(:retryMs::bigint, 0) * interval '1 millisecond'
   where merchant_id = :merchantId and environment = :environment and customer_id = :customerId
     and done_at is null`,
  { guardedBy: 'done_at: it is done once' },
);

export const pruneErasures = statement<
  { readonly retentionDays: number },
  { readonly customer_id: string }
>(
  'erasure_prune',
  sql('retentionDays')`
   delete from erasure where done_at < now() - :retentionDays::int * interval '1 day'
   returning customer_id`,
  { guardedBy: 'a deletion by age, repeated without effect' },
);

/** Payments and customers without a change for so many days. */
export const findOldPayments = statement<
  { readonly days: number; readonly limit: number },
  {
    readonly merchant_id: string;
    readonly environment: Environment;
    readonly payment_request_id: string;
  }
>(
  'erasure_old_payments',
  ofEachEnvironment(sql('days', 'limit')`
   select merchant_id, environment, payment_request_id from payment_request
   where ${ofShare()} and created_at < statement_timestamp() - :days::int * interval '1 day'
     and personal_data_erased_at is null and status <> 'OPEN' and live_attempt_count = 0
     and ${isNotPutOff('payment_request', 'payment_request_id', 'ERASE_PAYMENT')}
   limit :limit`),
  { readsWholeTables: true },
);

/** What came after a payment was erased: refunds, their accounts and notes, a late report of its bank. */
export const findErasedAgain = statement<
  { readonly limit: number },
  {
    readonly merchant_id: string;
    readonly environment: Environment;
    readonly payment_request_id: string;
  }
>(
  'erasure_erased_again',
  ofEachEnvironment(sql('limit')`
   select r.merchant_id, r.environment, r.payment_request_id from payment_request r
   where ${ofShare('r')} and r.personal_data_erased_at is not null and (
     exists (select from refund f where f.merchant_id = r.merchant_id
       and f.environment = r.environment and f.payment_request_id = r.payment_request_id
       and f.step = 'ENDED' and (f.notes is not null or f.account_encrypted is not null))
     or exists (select from refund_approval a where a.merchant_id = r.merchant_id
       and a.environment = r.environment and a.payment_request_id = r.payment_request_id
       and (a.notes is not null or a.reason is not null))
     or exists (select from dispute_answer d where d.merchant_id = r.merchant_id
       and d.environment = r.environment and d.payment_request_id = r.payment_request_id
       and d.due_at is null and (d.evidence <> '{}' or d.files <> '{}' or d.refusal is not null))
     or exists (select from attempt t where t.merchant_id = r.merchant_id
       and t.environment = r.environment and t.payment_request_id = r.payment_request_id
       and (t.payer_encrypted is not null or t.consumer_name is not null)))
     and ${isNotPutOff('r', 'payment_request_id', 'ERASE_PAYMENT')}
   limit :limit`),
  { readsWholeTables: true },
);

export const findOldCustomers = statement<
  { readonly days: number; readonly limit: number },
  ClaimedErasure
>(
  'erasure_old_customers',
  ofEachEnvironment(sql('days', 'limit')`
   select c.merchant_id, c.environment, c.customer_id from customer c
   where ${ofShare('c')} and c.updated_at < statement_timestamp() - :days::int * interval '1 day'
     and not exists (select from payment_request r where r.merchant_id = c.merchant_id
       and r.environment = c.environment and r.customer_id = c.customer_id
       and (r.created_at >= statement_timestamp() - :days::int * interval '1 day'
         or r.status = 'OPEN' or r.live_attempt_count > 0))
     and ${isNotPutOff('c', 'customer_id', 'ERASE')}
   limit :limit`),
  { readsWholeTables: true },
);

/** Deleted customers whose payments still name them, and old payments that cannot be erased. */
export const stuckErasures = [
  stuckRows({
    ...{ kind: 'ERASE_CUSTOMER', merchantId: 'w.merchant_id', workId: 'w.customer_id' },
    ...{ from: 'erasure w', where: 'w.done_at is null', dueAt: 'w.due_at' },
    ...{ leasedUntil: 'w.leased_until', pausedAs: 'ERASE' },
  }),
  putOffRows('ERASE_OLD_PAYMENT', 'ERASE_PAYMENT', 'w.subject_id'),
];

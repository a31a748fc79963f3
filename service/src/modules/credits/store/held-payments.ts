import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Held = Tenant & {
  readonly attemptId: string;
  readonly amountPence: string;
  readonly forMs: number;
};

/** Once for each payment that its bank has accepted. */
export const holdPayment = statement<Held, { readonly attempt_id: string }>(
  'held_payment_hold',
  sql('merchantId', 'environment', 'attemptId', 'amountPence', 'forMs')`
   insert into held_payment (merchant_id, environment, attempt_id, store_id, amount_pence,
     until_business_at)
   select a.merchant_id, a.environment, a.attempt_id, r.store_id, :amountPence::bigint,
     clock_timestamp() + clock_offset(:merchantId::uuid, :environment::text)
       + :forMs * interval '1 millisecond'
   from attempt a join payment_request r on r.merchant_id = :merchantId
     and r.environment = :environment and r.payment_request_id = a.payment_request_id
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = :attemptId::uuid and a.status = 'COMPLETED'
   on conflict (merchant_id, environment, attempt_id, entry_key) do nothing
   returning attempt_id`,
  { guardedBy: 'status COMPLETED; primary key: the time that was set first stays' },
);

type HeldByDebit = Tenant & {
  readonly attemptId: string;
  readonly amountPence: string;
  readonly entryKey: string;
};

/** By a debit under its id that fits no credit, until it has taken one or its case is resolved. */
export const holdByDebit = statement<HeldByDebit, never>(
  'held_payment_hold_by_debit',
  sql('merchantId', 'environment', 'attemptId', 'amountPence', 'entryKey')`
   insert into held_payment (merchant_id, environment, attempt_id, store_id, amount_pence, entry_key)
   select a.merchant_id, a.environment, a.attempt_id, r.store_id, :amountPence::bigint, :entryKey
   from attempt a join payment_request r on r.merchant_id = :merchantId
     and r.environment = :environment and r.payment_request_id = a.payment_request_id
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = :attemptId::uuid
     and exists (select from account_debit d where d.environment = :environment
       and d.entry_key = :entryKey and d.due_at is not null for share)
   on conflict (merchant_id, environment, attempt_id, entry_key) do nothing`,
  { guardedBy: 'due_at: a debit that is done holds nothing; primary key: it holds a payment once' },
);

/**
 * Another worker may have set the debit against a second credit before this one held the payment. The debits
 * are locked, so that one which is just being linked is not taken for open.
 */
export const releaseUnlessOpen = statement<Tenant & { readonly attemptId: string }, never>(
  'held_payment_release',
  sql('merchantId', 'environment', 'attemptId')`
   with waiting as materialized (
     select d.entry_key from (
       select a.payment_idempotency_id as id, a.amount_pence + a.tip_pence as pence from attempt a
       where a.merchant_id = :merchantId and a.environment = :environment
         and a.attempt_id = :attemptId::uuid
       union select c.known_as, c.amount_pence from account_credit c
       where c.merchant_id = :merchantId::uuid and c.environment = :environment
         and c.attempt_id = :attemptId::uuid) k
     join account_debit d on d.environment = :environment and d.end_to_end_id = k.id
       and d.amount_pence = k.pence
     where d.credit_id is null or d.due_at is not null for share of d)
   delete from held_payment where merchant_id = :merchantId and environment = :environment
     and attempt_id = :attemptId::uuid and entry_key = '' and not exists (select from waiting)`,
  { guardedBy: 'the debits of the payment are locked: none that is open loses its hold' },
);

/** It has failed: nothing of it is held. */
export const releaseFailed = statement<Tenant & { readonly attemptId: string }, never>(
  'held_payment_release_failed',
  sql('merchantId', 'environment', 'attemptId')`
   delete from held_payment h using attempt a
   where h.merchant_id = :merchantId and h.environment = :environment
     and h.attempt_id = :attemptId::uuid and a.merchant_id = :merchantId
     and a.environment = :environment and a.attempt_id = h.attempt_id and a.status <> 'COMPLETED'`,
  { guardedBy: 'the status of its payment, which is for ever' },
);

/** None once it has failed: then nothing is awaited. */
export const readHeld = statement<
  Tenant & { readonly attemptId: string },
  { readonly awaited_ms: number }
>(
  'held_payment_read',
  sql('merchantId', 'environment', 'attemptId')`
   select greatest(0, extract(epoch from h.until_business_at - clock_timestamp()
     - clock_offset(:merchantId::uuid, :environment::text)) * 1000)::float8 as awaited_ms
   from held_payment h join attempt a on a.merchant_id = :merchantId
     and a.environment = :environment and a.attempt_id = h.attempt_id
   where h.merchant_id = :merchantId and h.environment = :environment
     and h.attempt_id = :attemptId::uuid and h.entry_key = '' and a.status = 'COMPLETED'`,
);

/**
 * Some money of a payout's account is held, or some that is in the payout: that keeps its account when the
 * store's changes. What was paid out before holds nothing while a person looks for what a debit was.
 */
export const isPayoutHeldSql = (payout: string): string =>
  `exists (select from held_payment h
     join attempt t on t.merchant_id = h.merchant_id and t.environment = h.environment
       and t.attempt_id = h.attempt_id and (t.status = 'COMPLETED' or h.entry_key = '')
     where h.merchant_id = ${payout}.merchant_id and h.environment = ${payout}.environment
       and (exists (select from store_bank_account s where s.merchant_id = h.merchant_id
           and s.environment = h.environment and s.store_id = h.store_id
           and s.sort_code = ${payout}.sort_code
           and s.account_number = ${payout}.account_number
           and (h.entry_key = '' or not exists (select from payout_line l
             where l.merchant_id = h.merchant_id and l.environment = h.environment
               and l.attempt_id = h.attempt_id)))
         or exists (select from payout_line l where l.merchant_id = h.merchant_id
           and l.environment = h.environment and l.payout_id = ${payout}.payout_id
           and l.attempt_id = h.attempt_id and l.state = 'CURRENT')))`;

export const isPaymentHeldSql = (attempt: string): string =>
  `exists (select from held_payment h where h.merchant_id = ${attempt}.merchant_id
     and h.environment = ${attempt}.environment and h.attempt_id = ${attempt}.attempt_id)`;

type Due = { readonly due_at: Date | null };

export const nextHeldUntil = statement<Tenant & { readonly after: Date }, Due>(
  'held_payment_next_until',
  sql('merchantId', 'environment', 'after')`
   select min(until_business_at) as due_at from held_payment
   where merchant_id = :merchantId and environment = :environment and until_business_at > :after`,
);

/** After the clock has moved: what waits no longer is looked at. Credits are locked first, as elsewhere. */
export const wakeHeld = statement<Tenant, never>(
  'held_payment_wake',
  sql('merchantId', 'environment')`
   with ended as materialized (
     select a.attempt_id, a.payment_idempotency_id as id, a.amount_pence + a.tip_pence as pence
     from held_payment h
     join attempt a on a.merchant_id = :merchantId and a.environment = :environment
       and a.attempt_id = h.attempt_id
     where h.merchant_id = :merchantId and h.environment = :environment
       and (a.status <> 'COMPLETED' or h.until_business_at <= statement_timestamp()
         + clock_offset(:merchantId::uuid, :environment::text))),
   own as materialized (
     select c.credit_id, c.known_as as id, c.amount_pence as pence from account_credit c
     join ended on c.merchant_id = :merchantId::uuid and c.environment = :environment
       and c.attempt_id = ended.attempt_id),
   credit as (
     update account_credit c set due_at = clock_timestamp() from own
     where c.credit_id = own.credit_id and c.status = 'OPEN' returning c.credit_id)
   update account_debit d set due_at = clock_timestamp()
   from (select id, pence from ended union select id, pence from own) k
   where (select count(*) from credit) is not null and d.environment = :environment
     and d.end_to_end_id = k.id and d.amount_pence = k.pence and d.due_at is not null`,
  { guardedBy: 'due_at and status: what is done stays done' },
);

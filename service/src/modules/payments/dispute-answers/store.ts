import type { Environment, Tenant } from '#kernel/environment.ts';
import { earliestOfEach, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { stuckRows } from '#platform/database/stuck-rows.ts';
import type { DisputeEvidence } from '#rails/card-rail.ts';
import type { AnswerStatus, AnswerTrigger } from '../core/payment-lifecycles.ts';
import { type Claim, claimed, isNotLeased } from '../core/store/claim-due.ts';

type EvidenceTexts = DisputeEvidence['texts'];
export type StoredFile = { readonly id: string; readonly name: string; readonly bytes: number };
type StoredFiles = { readonly [Kind in keyof DisputeEvidence['files']]?: StoredFile };

export type AnswerRow = {
  readonly answer_id: string;
  readonly payment_request_id: string;
  readonly attempt_id: string;
  readonly account_key: string;
  readonly dispute_reference: string;
  readonly status: AnswerStatus;
  readonly version: number;
  readonly evidence: EvidenceTexts;
  readonly files: StoredFiles;
  readonly refusal: string | null;
  readonly sent_by_name: string | null;
  readonly sent_at: Date | null;
  readonly submissions_before: number;
};

/** What a person sent once, as it was then. */
export type SubmissionRow = {
  readonly by: string;
  readonly at: string;
  /** Null: erased with the payer. */
  readonly evidence: EvidenceTexts | null;
  readonly files: StoredFiles | null;
};

type OfDispute = Tenant & {
  readonly paymentRequestId: string;
  readonly disputeReference: string;
};

type DisputedRow = {
  readonly account_key: string;
  readonly dispute_status: 'OPEN' | 'WON' | 'LOST';
  /** Business time, as the deadline is. */
  readonly is_late: boolean;
  /** The bank asks, and has taken nothing. */
  readonly is_inquiry: boolean;
  readonly respond_by: Date | null;
  readonly submissions: readonly SubmissionRow[] | null;
} & (AnswerRow | { readonly answer_id: null });

const columns = `d.answer_id, d.payment_request_id, d.attempt_id, d.dispute_reference, d.status,
     d.version, d.evidence, d.files, d.refusal, d.sent_by_name, d.sent_at, d.submissions_before`;

/** The dispute of a payment, with what was answered. */
export const readDisputed = statement<OfDispute, DisputedRow>(
  'dispute_answer_read',
  sql('merchantId', 'environment', 'paymentRequestId', 'disputeReference')`
   select a.account_key, e.dispute->>'status' as dispute_status,
     coalesce((e.dispute->>'amountPence')::bigint, 0) = 0 as is_inquiry,
     (e.dispute->>'respondBy')::timestamptz as respond_by,
     coalesce((e.dispute->>'respondBy')::timestamptz <= t.instant, false) as is_late, (
       select json_agg(json_build_object('by', h.person_name, 'at', h.occurred_at,
         'evidence', h.evidence, 'files', h.files) order by h.version)
       from dispute_answer_history h where h.merchant_id = :merchantId
         and h.environment = :environment and h.answer_id = d.answer_id
         and h.trigger = 'submitted') as submissions, ${columns}
   from (select business_now(:merchantId, :environment) as instant) t
   cross join attempt a
   cross join lateral jsonb_array_elements(a.disputes) as e (dispute)
   left join dispute_answer d on d.merchant_id = :merchantId and d.environment = :environment
     and d.dispute_reference = :disputeReference
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_request_id = :paymentRequestId::uuid and a.disputes is not null
     and e.dispute->>'reference' = :disputeReference`,
);

/** The dispute is open and its deadline has not passed at `t`, of the row `a` of its attempt. */
const takesAnswer = `exists (select from jsonb_array_elements(a.disputes) as e (dispute)
       where e.dispute->>'reference' = :disputeReference and e.dispute->>'status' = 'OPEN'
         and coalesce((e.dispute->>'respondBy')::timestamptz > t.instant, true))`;

const filesAfter = `(d.files - coalesce(:removedKind::text, '')) || :addedFiles::jsonb`;

type Draft = OfDispute & {
  readonly answerId: string;
  /** Null: the texts stay as they are. */
  readonly evidence: string | null;
  readonly addedFiles: string;
  readonly removedKind: string | null;
  /** As the caller read it; null: whatever it is. */
  readonly version: number | null;
  readonly maxBytes: number;
  readonly personId: string;
  readonly personName: string;
};

/** No row: it takes no answer, one was sent, it was changed meanwhile, or its files are too large. */
export const saveDraft = statement<Draft, { readonly answer_id: string }>(
  'dispute_answer_draft',
  sql(
    'merchantId',
    'environment',
    'paymentRequestId',
    'disputeReference',
    'answerId',
    'evidence',
    'addedFiles',
    'removedKind',
    'version',
    'maxBytes',
    'personId',
    'personName',
  )`
   with saved as (
     insert into dispute_answer as d (merchant_id, environment, answer_id, payment_request_id,
       attempt_id, dispute_reference, status, evidence, files, created_at, updated_at)
     select :merchantId, :environment, :answerId::uuid, :paymentRequestId::uuid, a.attempt_id,
       :disputeReference, 'DRAFT', coalesce(:evidence::jsonb, '{}'), :addedFiles::jsonb, t.instant,
       t.instant
     from attempt a, (select business_now(:merchantId, :environment) as instant) t
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.payment_request_id = :paymentRequestId::uuid and a.disputes is not null
       and ${takesAnswer}
       and (coalesce(:version::int, 0) = 0 or exists (select from dispute_answer b
         where b.merchant_id = :merchantId and b.environment = :environment
           and b.dispute_reference = :disputeReference))
     on conflict (merchant_id, environment, dispute_reference) do update
       set evidence = coalesce(:evidence::jsonb, d.evidence), files = ${filesAfter},
         version = d.version + 1, updated_at = excluded.updated_at
       where d.status = 'DRAFT' and d.version = coalesce(:version::int, d.version)
         and (:addedFiles::jsonb = '{}' or :maxBytes::bigint >= (
           select sum((file->>'bytes')::bigint) from jsonb_each(${filesAfter}) as f (kind, file)))
     returning answer_id, version, created_at),
   history as (
     insert into dispute_answer_history (merchant_id, environment, answer_id, version, from_status,
       to_status, trigger, person_id, person_name, occurred_at)
     select :merchantId, :environment, answer_id, version, null, 'DRAFT', 'drafted',
       :personId::uuid, :personName, created_at from saved where version = 1)
   select answer_id from saved`,
  { guardedBy: 'the status, and the version that the caller read: only a draft changes' },
);

type Move = Tenant & {
  readonly answerId: string;
  readonly disputeReference: string;
  readonly version: number;
  readonly fromStatus: AnswerStatus;
  readonly toStatus: AnswerStatus;
  readonly trigger: AnswerTrigger;
  /** Null: the card processor. */
  readonly personId: string | null;
  readonly personName: string | null;
  readonly refusal: string | null;
};

/** No row: it was changed or sent meanwhile, or the dispute takes no answer any more. */
export const moveAnswer = statement<Move, { readonly answer_id: string }>(
  'dispute_answer_move',
  sql(
    'merchantId',
    'environment',
    'answerId',
    'disputeReference',
    'version',
    'fromStatus',
    'toStatus',
    'trigger',
    'personId',
    'personName',
    'refusal',
  )`
   with moved as (
     update dispute_answer d set status = :toStatus::text, version = d.version + 1,
       refusal = :refusal::text, sent_by = coalesce(:personId::uuid, d.sent_by),
       sent_by_name = coalesce(:personName::text, d.sent_by_name),
       sent_at = case when :personId::uuid is null then d.sent_at else t.instant end,
       updated_at = t.instant,
       answers_inquiry = case when :personId::uuid is null then d.answers_inquiry
         else coalesce((e.dispute->>'amountPence')::bigint, 0) = 0 end,
       submissions_before = case when :personId::uuid is null then d.submissions_before
         else coalesce((e.dispute->>'submissions')::int, 0) end,
       due_at = case when :toStatus::text in ('SUBMITTING', 'ACCEPTING')
         then statement_timestamp() end
     from attempt a left join lateral jsonb_array_elements(a.disputes) as e (dispute)
         on e.dispute->>'reference' = :disputeReference,
       (select business_now(:merchantId, :environment) as instant) t
     where d.merchant_id = :merchantId and d.environment = :environment
       and d.answer_id = :answerId::uuid and d.status = :fromStatus::text
       and d.version = :version::int
       and a.merchant_id = :merchantId and a.environment = :environment
       and a.attempt_id = d.attempt_id
       and (:personId::uuid is null or ${takesAnswer})
     returning d.answer_id, d.version, d.updated_at, d.evidence, d.files),
   history as (
     insert into dispute_answer_history (merchant_id, environment, answer_id, version, from_status,
       to_status, trigger, person_id, person_name, detail, evidence, files, occurred_at)
     select :merchantId, :environment, answer_id, version, :fromStatus::text, :toStatus::text,
       :trigger::text, :personId::uuid, :personName::text, :refusal::text,
       case when :trigger::text = 'submitted' then evidence end,
       case when :trigger::text = 'submitted' then files end, updated_at from moved)
   select answer_id from moved`,
  { guardedBy: 'version and status as read' },
);

export type DueAnswer = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly answer_id: string;
  /** Until the deadline; null: it has none. */
  readonly left_ms: number | null;
};

export const claimAnswers = statement<Claim, DueAnswer>(
  'dispute_answer_due',
  claimed(
    'ANSWER',
    `select d.merchant_id, d.environment, d.answer_id, d.answer_id as subject_id, (
       select (1000 * extract(epoch from (e.dispute->>'respondBy')::timestamptz
         - business_now(d.merchant_id, d.environment)))::float8
       from attempt a cross join lateral jsonb_array_elements(a.disputes) as e (dispute)
       where a.merchant_id = d.merchant_id and a.environment = d.environment
         and a.attempt_id = d.attempt_id
         and e.dispute->>'reference' = d.dispute_reference) as left_ms
     from dispute_answer d
     where ${ofShare('d')} and d.due_at <= statement_timestamp()
       and ${isNotLeased('answer_id', 'ANSWER')}
     order by d.due_at limit :limit`,
  ),
  { guardedBy: 'work_lease: one worker at a time; the version decides what is written' },
);

export const answerDueAt = earliestOfEach(
  `(select min(due_at) from dispute_answer where ${ofShare()} and due_at is not null)`,
);

export const stuckAnswers = stuckRows({
  ...{ kind: 'ANSWER_DISPUTE', merchantId: 'w.merchant_id', workId: 'w.answer_id' },
  ...{ paymentRequestId: 'w.payment_request_id', pausedAs: 'ANSWER', from: 'dispute_answer w' },
  ...{ where: 'w.due_at is not null', dueAt: 'w.due_at' },
});

export const readAnswer = statement<Tenant & { readonly answerId: string }, AnswerRow>(
  'dispute_answer_of_id',
  sql('merchantId', 'environment', 'answerId')`
   select ${columns}, a.account_key from dispute_answer d
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = d.attempt_id
   where d.merchant_id = :merchantId and d.environment = :environment
     and d.answer_id = :answerId::uuid`,
);

/** What members wrote about a payment, $1, that names a person, $2: a refund that another declined. */
export const declinedApproval = `with made as (
       insert into refund_approval (merchant_id, environment, approval_id, payment_request_id, attempt_id,
         payment_idempotency_id, order_id, amount_pence, notes, status, proposed_by, proposed_by_name,
         decided_by, decided_by_name, reason, version, created_at, updated_at)
       select merchant_id, environment, gen_random_uuid(), payment_request_id, attempt_id, 'p', 'o', 100,
         'notes for ' || $2, 'DECLINED', gen_random_uuid(), 'Ada', gen_random_uuid(), 'Grace', 'no, ' || $2,
         2, now(), now() from attempt where payment_request_id = $1::uuid and position = 1 returning *)
     insert into refund_approval_history (merchant_id, environment, approval_id, version, from_status,
       to_status, trigger, person_id, person_name, detail, occurred_at)
     select merchant_id, environment, approval_id, s.*, decided_by, 'Grace', reason, now()
     from made, (values (1, null, 'WAITING', 'proposed'), (2, 'WAITING', 'DECLINED', 'declined')) s`;

/** And an answer to a dispute that the card processor did not take. */
export const refusedAnswer = `with made as (
       insert into dispute_answer (merchant_id, environment, answer_id, payment_request_id, attempt_id,
         dispute_reference, status, evidence, files, refusal, version, created_at, updated_at)
       select merchant_id, environment, gen_random_uuid(), payment_request_id, attempt_id,
         'dp_' || attempt_id, 'DRAFT', jsonb_build_object('customerName', $2::text),
         jsonb_build_object('receipt', jsonb_build_object('id', 'f', 'name', $2::text, 'bytes', 1)),
         'no, ' || $2, 3, now(), now()
       from attempt where payment_request_id = $1::uuid and position = 1 returning *)
     insert into dispute_answer_history (merchant_id, environment, answer_id, version, from_status,
       to_status, trigger, detail, occurred_at)
     select merchant_id, environment, answer_id, s.*, refusal, now() from made,
       (values (1, null, 'DRAFT', 'drafted'), (2, 'DRAFT', 'SUBMITTING', 'submitted'),
         (3, 'SUBMITTING', 'DRAFT', 'refused')) s`;

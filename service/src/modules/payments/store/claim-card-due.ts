import type { Database } from '#platform/database/open-database.ts';
import { statement } from '#platform/database/statement.ts';
import type { DueAttempt } from './claim-due.ts';

type Claim = { readonly most: number; readonly leaseMs: number };

// A lease, so that one worker at a time talks to the processor about an attempt.
const leased = `
   update attempt a set leased_until = clock_timestamp() + :leaseMs * interval '1 millisecond'
   from due
   where a.merchant_id = due.merchant_id and a.environment = due.environment
     and a.attempt_id = due.attempt_id
   returning a.merchant_id, a.environment, a.payment_request_id, a.attempt_id`;

const isFree = '(leased_until is null or leased_until < clock_timestamp())';

const claimQuestions = statement<Claim, DueAttempt>(
  'payment_claim_card_questions',
  `with due as materialized (
     select merchant_id, environment, attempt_id from attempt
     where poll_at is not null and poll_at <= clock_timestamp() and method = 'CARD' and ${isFree}
     order by poll_at limit :most for update skip locked)${leased}`,
);

const claimCaptures = statement<Claim, DueAttempt>(
  'payment_claim_captures',
  `with due as materialized (
     select merchant_id, environment, attempt_id from attempt
     where capture_at is not null and capture_at <= clock_timestamp() and ${isFree}
     order by capture_at limit :most for update skip locked)${leased}`,
);

export const claimCardDue = (database: Database) => ({
  questions: (most: number, leaseMs: number) => database.system(claimQuestions, { most, leaseMs }),
  captures: (most: number, leaseMs: number) => database.system(claimCaptures, { most, leaseMs }),
});

import { statement } from '#platform/database/statement.ts';
import type { DueAttempt } from './claim-due.ts';

export const findAttemptOfCard = statement<{ attemptId: string }, DueAttempt>(
  'payment_find_attempt_of_card',
  `select merchant_id, environment, payment_request_id, attempt_id from attempt
   where attempt_id = :attemptId and method = 'CARD'`,
);

export const findAttemptOfCardPayment = statement<{ paymentReference: string }, DueAttempt>(
  'payment_find_attempt_of_card_payment',
  `select merchant_id, environment, payment_request_id, attempt_id from attempt
   where rail_reference = :paymentReference and method = 'CARD'
   order by created_at desc limit 1`,
);

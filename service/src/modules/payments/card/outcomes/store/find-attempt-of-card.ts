import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Attempt } from '../../../core/payment.ts';
import type { DueAttempt } from '../../../core/store/claim-due.ts';

export type CardAttemptRow = DueAttempt &
  Pick<Attempt, 'status' | 'step'> & {
    readonly is_leased: boolean;
    readonly account_key: string;
  };

const columns = `merchant_id, environment, payment_request_id, attempt_id, status, step, account_key,
     coalesce(leased_until > statement_timestamp(), false) as is_leased`;

export const findAttemptOfCard = statement<{ attemptId: string }, CardAttemptRow>(
  'payment_find_attempt_of_card',
  sql('attemptId')`
   select ${columns} from attempt
   where attempt_id = :attemptId and method = 'CARD'`,
);

export const findAttemptOfCardPayment = statement<{ paymentReference: string }, CardAttemptRow>(
  'payment_find_attempt_of_card_payment',
  sql('paymentReference')`
   select ${columns} from attempt
   where rail_reference = :paymentReference and method = 'CARD'
   order by created_at desc limit 1`,
);

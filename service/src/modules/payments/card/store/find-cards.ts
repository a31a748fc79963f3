import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import type { Attempt } from '../../core/payment.ts';
import { claimDueAttempts, type DueAttempt, pollsOf } from '../../core/store/claim-due.ts';

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

export const findOwnRefunds = statement<
  Tenant & { readonly attemptId: string },
  { readonly refund_id: string }
>(
  'payment_own_refunds',
  sql('merchantId', 'environment', 'attemptId')`
   select refund_id::text from refund
   where merchant_id = :merchantId and environment = :environment
     and payment_request_id = (select payment_request_id from attempt
       where merchant_id = :merchantId and environment = :environment
         and attempt_id = :attemptId::uuid)
     and attempt_id = :attemptId::uuid`,
);

// A merchant's own account at the processor may be slow by itself.
const accountOf = (alias: string) => `${alias}.environment || ' ' || ${alias}.merchant_id`;

export const cardWork = {
  polls: claimDueAttempts('payment_claim_card_polls', pollsOf('CARD', accountOf)),
  captures: claimDueAttempts('payment_claim_captures', {
    table: 'attempt',
    at: 'capture_at',
    only: (alias) => `${alias}.method = 'CARD' and ${alias}.capture_at is not null`,
    partnerOf: accountOf,
    work: 'CAPTURE',
  }),
};

type Counted = { readonly open: bigint; readonly completed: bigint };

/** For the operator, before keys are removed. */
const count = statement<Tenant & { readonly accountKey: string }, Counted>(
  'card_payment_count_at_account',
  sql('merchantId', 'environment', 'accountKey')`
   select count(*) filter (where status in ('AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED')
       or step in ('PAID_TOO_LATE', 'REFUNDING_LATE')) as open,
     count(*) filter (where status = 'COMPLETED') as completed
   from attempt
   where merchant_id = :merchantId and environment = :environment
     and account_key = :accountKey`,
  { readsWholeTables: true },
);

/** What was made with an account at the processor: open, and completed. */
export const countCardPayments = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  accountKey: string,
): Promise<Counted> => {
  const [row] = await database.tenant(tenant.merchantId, count, { ...tenant, accountKey });
  return row ?? { open: 0n, completed: 0n };
};

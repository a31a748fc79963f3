import { type Tenant, tenantOf } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import type { Attempt } from '../../core/payment.ts';
import { claimDueAttempts, type DueAttempt, pollsOf } from '../../core/store/claim-due.ts';

type CardAttemptRow = DueAttempt &
  Pick<Attempt, 'status' | 'step'> & {
    readonly is_leased: boolean;
    readonly account_key: string;
  };

const columns = `merchant_id, environment, payment_request_id, attempt_id, status, step, account_key,
     coalesce(leased_until > statement_timestamp(), false) as is_leased`;

const findAttemptOfCard = statement<{ attemptId: string }, CardAttemptRow>(
  'payment_find_attempt_of_card',
  sql('attemptId')`
   select ${columns} from attempt
   where attempt_id = :attemptId and method = 'CARD'`,
);

const findAttemptOfCardPayment = statement<{ paymentReference: string }, CardAttemptRow>(
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

export type FoundCardAttempt = {
  readonly tenant: Tenant;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  /** The account at the processor that it was made with. */
  readonly accountKey: string;
  /** A report that it is paid, or being charged, would be nothing new. */
  readonly isHeardAlready: boolean;
};

/** What a processor names: our attempt, or only its own payment. */
type NamedCardAttempt = { readonly attemptId: string } | { readonly paymentReference: string };

/** The attempt's owner: a processor and a returning browser name no merchant. */
export const findCardAttempt = async (
  { database }: Uses<'database'>,
  named: NamedCardAttempt,
): Promise<FoundCardAttempt | null> => {
  if ('attemptId' in named && !isUuid(named.attemptId)) return null;
  const [row] =
    'attemptId' in named
      ? await database.system(findAttemptOfCard, named)
      : await database.system(findAttemptOfCardPayment, named);
  if (!row) return null;
  return {
    tenant: tenantOf(row),
    paymentRequestId: row.payment_request_id,
    attemptId: row.attempt_id,
    accountKey: row.account_key,
    isHeardAlready: isHeardAlready(row),
  };
};

/** The sender of a charge gets the same outcome in a moment; if not, the job polls. */
const isHeardAlready = ({ status, step, is_leased: isLeased }: CardAttemptRow): boolean =>
  (step === 'ENDED' && status === 'COMPLETED') || (step === 'CHARGING' && isLeased);

import { type Tenant, tenantOf } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type CardAttemptRow,
  findAttemptOfCard,
  findAttemptOfCardPayment,
} from './store/find-cards.ts';

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

import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { stuckRows } from '#platform/database/stuck-rows.ts';
import { isToAlert, isWorkedOn } from './claim-due.ts';
import type { Work } from './work-leases.ts';

const ofAttempt = {
  merchantId: 'w.merchant_id',
  workId: 'w.attempt_id',
  paymentRequestId: 'w.payment_request_id',
} as const;

const pollsBy = (method: string) => ({
  ...ofAttempt,
  ...{ from: 'attempt_poll w', dueAt: 'w.poll_at', leasedUntil: 'w.leased_until' },
  where: `w.method = '${method}' and w.watch_from <= statement_timestamp()`,
  pausedAs: 'POLL',
});

/** Work on payments that is not done. */
export const stuckPayments = [
  stuckRows({
    ...{ ...ofAttempt, kind: 'EXPIRE', workId: 'w.payment_request_id', pausedAs: 'EXPIRE' },
    ...{ from: 'payment_request w', dueAt: 'w.expires_at' },
    where: `w.status = 'OPEN' and w.live_attempt_count = 0`,
  }),
  stuckRows({
    ...{ ...ofAttempt, kind: 'ABANDON', pausedAs: 'ABANDON' },
    ...{ from: 'attempt w', dueAt: 'w.authorise_by' },
    where: `w.status = 'AWAITING_AUTHORIZATION' and not ${isWorkedOn}
        and (w.method = 'PAY_BY_BANK' or w.step = 'OPENING_PAGE')`,
  }),
  stuckRows({
    ...{ ...ofAttempt, kind: 'ABANDON', pausedAs: 'ABANDON' },
    ...{ from: 'attempt w', dueAt: 'coalesce(w.leased_until, w.updated_at)' },
    where: isWorkedOn,
  }),
  stuckRows({
    ...{ ...ofAttempt, kind: 'ALERT', pausedAs: 'ALERT' },
    ...{ from: 'attempt w', where: isToAlert('w'), dueAt: 'w.updated_at' },
  }),
  stuckRows({ kind: 'POLL_BANK', ...pollsBy('PAY_BY_BANK') }),
  stuckRows({ kind: 'POLL_CARD', ...pollsBy('CARD') }),
  stuckRows({
    ...{ ...ofAttempt, kind: 'CAPTURE', pausedAs: 'CAPTURE', leasedUntil: 'w.leased_until' },
    ...{ from: 'attempt w', where: 'w.capture_at is not null', dueAt: 'w.capture_at' },
  }),
];

/**
 * Ends the pause after a failure: the next try is due now. The lease of a call that runs stands elsewhere,
 * and what the try may do is decided as ever.
 */
export const hurryPayment = statement<
  Tenant & { readonly workId: string; readonly work: Work },
  { readonly subject_id: string }
>(
  'work_lease_hurry',
  sql('merchantId', 'environment', 'workId', 'work')`
   update work_lease set leased_until = least(leased_until, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment and subject_id = :workId::uuid
     and work = :work and failures > 0
   returning subject_id`,
  { guardedBy: 'a pause that is only made shorter; the version decides what is written' },
);

import { stuckRows } from '#platform/database/stuck-rows.ts';
import { isToAlert, isWorkedOn } from './claim-due.ts';

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

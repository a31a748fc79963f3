import { limits } from '@florin/contract';
import { stuckRows } from '#platform/database/stuck-rows.ts';

const ofReport = {
  ...{ dueAt: 'w.due_at', since: 'w.received_at' },
  ...{ attempts: 'w.tries', maxAttempts: limits.stuckMatchTries, longestPause: '10 minutes' },
} as const;

/** Of the collecting account: what is tried again and again. A try puts it off before it runs. */
export const stuckCredits = [
  stuckRows({
    ...{ ...ofReport, kind: 'MATCH_CREDIT', workId: 'w.credit_id' },
    ...{ from: 'account_credit w', where: 'w.due_at is not null' },
    ...{ merchantId: 'w.merchant_id', paymentRequestId: 'w.payment_request_id' },
  }),
  stuckRows({
    ...{ ...ofReport, kind: 'REVERSE_CREDIT', workId: 'w.end_to_end_id' },
    ...{ from: 'account_debit w', where: 'w.due_at is not null' },
  }),
];

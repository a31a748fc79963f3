import { bankFeedJobs } from '#modules/bank-feed/index.ts';
import { cardJobs } from '#modules/cards/index.ts';
import { receiptJobs } from '#modules/checkout/index.ts';
import { creditJobs } from '#modules/credits/index.ts';
import { erasureJobs } from '#modules/erasure/index.ts';
import { ledgerJobs } from '#modules/ledger/index.ts';
import { operatorCaseJobs } from '#modules/operator-cases/index.ts';
import { paymentJobs } from '#modules/payments/index.ts';
import { payoutJobs } from '#modules/payouts/index.ts';
import { refundJobs } from '#modules/refunds/index.ts';
import { searchJobs } from '#modules/search/index.ts';
import { transferJobs } from '#modules/transfers/index.ts';
import { startDispatcher, webhookJobs } from '#modules/webhooks/index.ts';
import { listenForWakes } from '#platform/database/listen-for-wakes.ts';
import { type Job, runJobs, shareFor, throttle } from '#platform/jobs.ts';
import { openSmtp } from '#rails/smtp/index.ts';
import { tableJobs } from './maintain-tables.ts';
import type { Rails } from './open-rails.ts';
import type { OpenTools } from './open-tools.ts';
import { reportReceivers } from './report-receivers.ts';

const pruneEveryMs = 60_000;
const fillPayoutsEveryMs = 2_000;
const readMessagesEveryMs = 1_000;
const alertEveryMs = 2_000;
// What falls due in between is found this much later; a poll that is leased to this program has its timer.
const sharedForMs = 250;
const mailFromDefault = 'florin@localhost';
const pollPatienceMs = 500;

export type Worker = { readonly stop: () => Promise<void> };

/** Everything that happens without a caller: expiry, questions to banks, deliveries, pruning. */
export const openWorker = (
  tools: OpenTools,
  rails: Pick<Rails, 'bankRails' | 'bankDataRails' | 'cardRails' | 'transferRails'>,
): Worker => {
  const payments = paymentJobs(
    { ...tools, ...rails },
    { patience: () => tools.clock.sleep(pollPatienceMs) },
  );
  const feed = bankFeedJobs(
    { ...tools, ...rails },
    { patience: () => tools.clock.sleep(pollPatienceMs) },
  );
  const refunds = refundJobs({ ...tools, ...rails });
  const payouts = payoutJobs({ ...tools, ...rails });
  const transfers = transferJobs({ ...tools, ...rails, receivers: reportReceivers(tools) });
  const dispatcher = startDispatcher(tools);
  tools.onWake(dispatcher.wake);
  tools.takeWorkAhead({
    claimDeliveries: dispatcher.claimAhead,
    ownPolls: payments.ownPolls,
  });
  const listening = listenForWakes({
    connectionString: tools.databaseUrl,
    applicationName: 'florin-wakes',
    log: tools.log,
    onWake: dispatcher.wake,
  });
  const { smtpUrl, mailFrom } = tools.config;
  const mailRail = smtpUrl ? openSmtp({ url: smtpUrl, from: mailFrom ?? mailFromDefault }) : null;
  // One look for five kinds of work: an idle worker costs next to nothing, however much is open.
  const nextDue = shareFor(sharedForMs, payments.nextDue);
  const whenDue =
    (run: Job['run']): Job['run'] =>
    async () =>
      (await nextDue()).is_due ? run() : 0;
  const jobs = runJobs(
    tools,
    [
      { name: 'expirePaymentRequests', run: whenDue(payments.expirePaymentRequests) },
      { name: 'alertOperator', run: throttle(alertEveryMs, payments.alertOperator) },
      { name: 'closeAbandonedAttempts', run: whenDue(payments.closeAbandonedAttempts) },
      { name: 'pollBanks', run: whenDue(payments.pollBanks) },
      { name: 'pollCardProcessors', run: whenDue(payments.pollCardProcessors) },
      { name: 'captureBeforeExpiry', run: whenDue(payments.captureBeforeExpiry) },
      { name: 'handOverRefunds', run: refunds.handOverRefunds },
      { name: 'pollRefunds', run: refunds.pollRefunds },
      { name: 'fillPayouts', run: throttle(fillPayoutsEveryMs, payouts.fillPayouts) },
      { name: 'closePayouts', run: throttle(fillPayoutsEveryMs, payouts.closePayouts) },
      { name: 'watchBankHolidays', run: payouts.watchBankHolidays },
      { name: 'submitTransfers', run: transfers.submitBatches },
      { name: 'readBankMessages', run: throttle(readMessagesEveryMs, transfers.readBankMessages) },
      { name: 'endDueAuthorisations', run: feed.endDueAuthorisations },
      { name: 'refreshBankAccounts', run: feed.refreshBankAccounts },
      { name: 'removeEndedAuthorisations', run: feed.removeEndedAuthorisations },
      { name: 'forgetWaysBack', run: throttle(pruneEveryMs, feed.forgetWaysBack) },
      { name: 'pruneOrderGuard', run: throttle(pruneEveryMs, payments.pruneOrderGuard) },
      { name: 'pruneWorkLeases', run: throttle(pruneEveryMs, payments.pruneWorkLeases) },
      ...creditJobs(tools),
      ...tableJobs(tools),
      ...searchJobs(tools),
      ...operatorCaseJobs({ ...tools, mailRail, operatorMail: tools.config.operatorMail }),
      ...ledgerJobs(tools),
      ...cardJobs({ ...tools, ...rails }),
      ...erasureJobs(tools),
      ...receiptJobs({ ...tools, mailRail }),
      ...webhookJobs({ ...tools, mailRail }),
    ],
    async () => (await nextDue()).due_at,
  );
  return {
    stop: async () => {
      await Promise.all([jobs.stop(), dispatcher.stop(), listening.stop()]);
      await payments.ownPolls.stop();
      await Promise.all([payments.settle(), feed.settle()]);
      await mailRail?.close();
    },
  };
};

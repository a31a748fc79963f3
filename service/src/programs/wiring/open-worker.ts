import { auditJobs } from '#modules/audit/index.ts';
import { bankFeedJobs } from '#modules/bank-feed/index.ts';
import { cardJobs } from '#modules/cards/index.ts';
import { receiptJobs } from '#modules/checkout/index.ts';
import { creditJobs } from '#modules/credits/index.ts';
import { dashboardJobs } from '#modules/dashboard/index.ts';
import { erasureJobs } from '#modules/erasure/index.ts';
import { ledgerJobs } from '#modules/ledger/index.ts';
import { operatorCaseJobs } from '#modules/operator-cases/index.ts';
import { paymentJobs, subscribeToBanks } from '#modules/payments/index.ts';
import { payoutJobs } from '#modules/payouts/index.ts';
import { personMailJobs, sessionJobs } from '#modules/people/index.ts';
import { refundJobs } from '#modules/refunds/index.ts';
import { searchJobs } from '#modules/search/index.ts';
import { transferJobs } from '#modules/transfers/index.ts';
import { startDispatcher, webhookJobs } from '#modules/webhooks/index.ts';
import { failedJobs } from '#platform/database/failed-jobs.ts';
import { listenForWakes } from '#platform/database/wakes.ts';
import { type Job, runJobs } from '#platform/jobs.ts';
import { openSideBySide } from '#platform/side-by-side.ts';
import { openSmtp } from '#rails/smtp.ts';
import { dashboardUrlOf } from './dashboard-url-of.ts';
import { lookForWork } from './look-for-work.ts';
import { tableJobs } from './maintain-tables.ts';
import type { Rails } from './open-rails.ts';
import type { OpenTools } from './open-tools.ts';
import { reportReceivers } from './report-receivers.ts';

const pruneEveryMs = 60_000;
const fillPayoutsEveryMs = 2_000;
// A notice of the bank makes it due at once: this finds the messages of one that was lost, and files.
const reconcileEveryMs = 60_000;
const readMessagesEveryMs = 5_000;
// It calls a bank once an hour: between, it only looks at the time.
const subscribeEveryMs = 1_000;
const watchHolidaysEveryMs = 60 * 60 * 1000;
const watchAccountsEveryMs = 10 * 60 * 1000;
const mailFromDefault = 'florin@localhost';
const pollPatienceMs = 500;
const mailPatienceMs = 500;

export type Worker = {
  readonly jobNames: readonly string[];
  readonly stop: () => Promise<void>;
};

const openMail = ({ smtpUrl, mailFrom, mailWithoutTls }: OpenTools['config']) =>
  smtpUrl
    ? openSmtp({ url: smtpUrl, from: mailFrom ?? mailFromDefault, withoutTls: mailWithoutTls })
    : null;

/** Everything that happens without a caller: expiry, questions to banks, deliveries, pruning. */
export const openWorker = (
  tools: OpenTools,
  rails: Pick<Rails, 'bankRails' | 'bankDataRails' | 'cardRails' | 'transferRails'>,
  publicUrl: string,
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
  const listening = listenForWakes({
    connectionString: tools.databaseUrl,
    applicationName: 'florin-wakes',
    log: tools.log,
    onWake: dispatcher.wake,
  });
  const mailRail = openMail(tools.config);
  const mailRounds = openSideBySide(tools.log, () => tools.clock.sleep(mailPatienceMs));
  const jobs = runJobs(
    tools,
    [
      { name: 'expirePaymentRequests', run: payments.expirePaymentRequests },
      { name: 'alertOperator', run: payments.alertOperator },
      { name: 'closeAbandonedAttempts', run: payments.closeAbandonedAttempts },
      { name: 'pollBanks', run: payments.pollBanks },
      { name: 'pollCardProcessors', run: payments.pollCardProcessors },
      { name: 'captureBeforeExpiry', run: payments.captureBeforeExpiry },
      { name: 'handOverRefunds', run: refunds.handOverRefunds },
      { name: 'pollRefunds', run: refunds.pollRefunds },
      { name: 'fillPayouts', everyMs: fillPayoutsEveryMs, run: payouts.fillPayouts },
      { name: 'closePayouts', run: payouts.closePayouts },
      {
        name: 'watchBankHolidays',
        everyMs: watchHolidaysEveryMs,
        run: payouts.watchBankHolidays,
      },
      { name: 'watchAccounts', everyMs: watchAccountsEveryMs, run: payouts.watchAccounts },
      ...collectingAccountJobs(transfers),
      { name: 'endDueAuthorisations', run: feed.endDueAuthorisations },
      { name: 'refreshBankAccounts', run: feed.refreshBankAccounts },
      { name: 'removeEndedAuthorisations', run: feed.removeEndedAuthorisations },
      { name: 'forgetWaysBack', everyMs: pruneEveryMs, run: feed.forgetWaysBack },
      {
        name: 'subscribeToBanks',
        everyMs: subscribeEveryMs,
        run: subscribeToBanks({ ...tools, ...rails }, publicUrl),
      },
      { name: 'pruneOrderGuard', everyMs: pruneEveryMs, run: payments.pruneOrderGuard },
      { name: 'pruneWorkLeases', everyMs: pruneEveryMs, run: payments.pruneWorkLeases },
      ...auditJobs(tools),
      ...creditJobs(tools),
      ...tableJobs(tools),
      ...searchJobs(tools),
      ...operatorCaseJobs({
        ...{ ...tools, mailRail, mailRounds },
        operatorMail: tools.config.operatorMail,
      }),
      ...sessionJobs(tools),
      ...ledgerJobs(tools),
      ...cardJobs({ ...tools, ...rails }),
      ...dashboardJobs(tools),
      ...erasureJobs(tools),
      ...personMailJobs({
        ...tools,
        mailRail,
        mailRounds,
        dashboardUrl: dashboardUrlOf(tools, publicUrl),
      }),
      ...receiptJobs({ ...tools, mailRail, mailRounds }),
      ...webhookJobs({ ...tools, mailRail, mailRounds }),
    ],
    () => lookForWork(tools.database),
    failedJobs(tools.database),
  );
  return {
    jobNames: jobs.names,
    stop: async () => {
      await Promise.all([jobs.stop(), dispatcher.stop(), listening.stop()]);
      await Promise.all([payments.drain(), feed.drain(), mailRounds.drain()]);
      await mailRail?.close();
    },
  };
};

const collectingAccountJobs = (transfers: ReturnType<typeof transferJobs>): readonly Job[] => [
  { name: 'submitTransfers', run: transfers.submitBatches },
  {
    name: 'readSandboxMessages',
    everyMs: readMessagesEveryMs,
    run: () => transfers.readBankMessages('SANDBOX'),
  },
  {
    name: 'readProductionMessages',
    everyMs: readMessagesEveryMs,
    run: () => transfers.readBankMessages('PRODUCTION'),
  },
  { name: 'pruneKeptMessages', everyMs: pruneEveryMs, run: transfers.pruneKeptMessages },
  {
    name: 'reconcileBalances',
    everyMs: reconcileEveryMs,
    run: transfers.reconcileBalances,
  },
];

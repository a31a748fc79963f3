import { startDispatcher } from '#modules/webhooks/index.ts';
import { failedJobs } from '#platform/database/failed-jobs.ts';
import { listenForWakes } from '#platform/database/wakes.ts';
import { runJobs } from '#platform/jobs.ts';
import { openSideBySide } from '#platform/side-by-side.ts';
import { openSmtp } from '#rails/smtp.ts';
import { dashboardUrlOf } from './dashboard-url-of.ts';
import { lookForWork } from './look-for-work.ts';
import { tableJobs } from './maintain-tables.ts';
import { partsOf, type WorkerTools } from './modules.ts';
import type { OpenTools } from './open-tools.ts';
import { reportReceivers } from './report-receivers.ts';

const mailFromDefault = 'florin@localhost';
const patienceMs = 500;

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
  rails: Pick<WorkerTools, 'bankRails' | 'bankDataRails' | 'cardRails' | 'transferRails'>,
  publicUrl: string,
): Worker => {
  const dispatcher = startDispatcher(tools);
  tools.onWake(dispatcher.wake);
  const listening = listenForWakes({
    connectionString: tools.databaseUrl,
    applicationName: 'florin-wakes',
    log: tools.log,
    onWake: dispatcher.wake,
  });
  const patience = () => tools.clock.sleep(patienceMs);
  const mailRail = openMail(tools.config);
  const mailRounds = openSideBySide(tools.log, patience);
  const all: WorkerTools = {
    ...tools,
    ...rails,
    ...{ publicUrl, patience, mailRail, mailRounds },
    receivers: reportReceivers(tools),
    operatorMail: tools.config.operatorMail,
    dashboardUrl: dashboardUrlOf(tools, publicUrl),
  };
  const jobs = runJobs(
    tools,
    [...partsOf('jobs').flatMap((jobsOf) => jobsOf(all)), ...tableJobs(tools)],
    () => lookForWork(tools.database),
    failedJobs(tools.database),
  );
  return {
    jobNames: jobs.names,
    stop: async () => {
      await Promise.all([jobs.stop(), dispatcher.stop(), listening.stop()]);
      await mailRounds.drain();
      await mailRail?.close();
    },
  };
};

import { endDueAt, refreshDueAt, removalDueAt } from '#modules/bank-feed/index.ts';
import { detachDueAt } from '#modules/cards/index.ts';
import { receiptDueAt } from '#modules/checkout/index.ts';
import { matchDueAt, reverseDueAt } from '#modules/credits/index.ts';
import { eraseDueAt } from '#modules/erasure/index.ts';
import { reportDueAt } from '#modules/operator-cases/index.ts';
import {
  abandonDueAt,
  alertDueAt,
  captureDueAt,
  expireDueAt,
  pollBankDueAt,
  pollCardDueAt,
} from '#modules/payments/index.ts';
import { closeDueAt } from '#modules/payouts/index.ts';
import { personMailDueAt } from '#modules/people/index.ts';
import { handOverDueAt, pollDueAt } from '#modules/refunds/index.ts';
import { noticeDueAt, submitDueAt } from '#modules/transfers/index.ts';
import { mailDueAt } from '#modules/webhooks/index.ts';
import { hurriedAt } from '#platform/database/failed-jobs.ts';
import type { Database } from '#platform/database/open-database.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type DueWork, hurriedJobs } from '#platform/jobs.ts';

/** One look for all kinds of work, by the database's clock: this program's own may be wrong. */
export const lookForWork = async (database: Database): Promise<DueWork> =>
  (await database.system(look, {}))[0] ?? {};

/** By the name of the job that does the work: when its earliest row is due. */
const dueAt: Readonly<Record<string, Fragment<never>>> = {
  expirePaymentRequests: expireDueAt,
  alertOperator: alertDueAt,
  closeAbandonedAttempts: abandonDueAt,
  pollBanks: pollBankDueAt,
  pollCardProcessors: pollCardDueAt,
  captureBeforeExpiry: captureDueAt,
  handOverRefunds: handOverDueAt,
  pollRefunds: pollDueAt,
  closePayouts: closeDueAt,
  submitTransfers: submitDueAt,
  readSandboxMessages: noticeDueAt('SANDBOX'),
  readProductionMessages: noticeDueAt('PRODUCTION'),
  endDueAuthorisations: endDueAt,
  refreshBankAccounts: refreshDueAt,
  removeEndedAuthorisations: removalDueAt,
  matchCredits: matchDueAt,
  reverseCredits: reverseDueAt,
  reportOperatorCases: reportDueAt,
  detachCards: detachDueAt,
  eraseDeletedCustomers: eraseDueAt,
  sendPersonMails: personMailDueAt,
  sendReceipts: receiptDueAt,
  sendMails: mailDueAt,
  [hurriedJobs]: hurriedAt,
};

const columns = Object.entries(dueAt)
  .map(
    ([job, at]) =>
      `(extract(epoch from ${at.sql} - statement_timestamp()) * 1000)::float8 as "${job}"`,
  )
  .join(',\n   ');

const look = statement<object, DueWork>('work_next_due', sql()`select ${columns}`);

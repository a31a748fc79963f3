import { recordPayoutReport } from '#modules/payouts/index.ts';
import { recordTransferReport } from '#modules/refunds/index.ts';
import type { ReportReceivers } from '#modules/transfers/index.ts';
import type { Tools } from '#platform/tools.ts';

/** The receivers of the bank's reports about transfers. */
export const reportReceivers = (tools: Tools): ReportReceivers => ({
  REFUND: recordTransferReport(tools),
  PAYOUT: recordPayoutReport(tools),
});

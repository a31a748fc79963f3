import type { CardRails } from '#modules/cards/index.ts';
import type { Tools, Uses } from '#platform/tools.ts';
import { alertOfHeldMoney } from './bank/alert-of-held-money.ts';
import { pollBank } from './bank/poll-bank.ts';
import { type DuePoll, runDuePolls } from './bank/run-due-polls.ts';
import { bankPolls, cardCaptures, cardPolls } from './bank/store/claim-due-polls.ts';
import { captureDue } from './card/captures/capture-due.ts';
import { pollCardProcessor } from './card/outcomes/poll-card-processor.ts';
import type { BankRails } from './core/bank-rails.ts';
import { changePayment } from './core/change-payment.ts';
import { claimDue, type DueRequest } from './core/store/claim-due.ts';
import { pruneOrderGuard } from './core/store/prune-order-guard.ts';
import { closeAttempt } from './requests/end-attempt.ts';
import { endIfExpired } from './requests/end-if-expired.ts';

const batchSize = 50;
const maxPerBank = 10;
const maxPerAccount = 40;
const pollLeaseMs = 45_000;

type JobTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
  readonly bankRails: BankRails;
  readonly cardRails: Pick<CardRails, 'find'>;
};

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const paymentJobs = (
  tools: JobTools,
  /** How long a round waits for its slowest bank or processor; left out: until all have answered. */
  patience?: () => Promise<unknown>,
) => {
  const due = claimDue(tools.database);
  const polls = openPolls(tools);
  const each = async <Item extends DueRequest>(
    name: string,
    items: readonly Item[],
    run: (item: Item) => Promise<unknown>,
  ): Promise<number> => {
    const done = await Promise.all(
      items.map((item) => run(item).then(() => true, logFailure(tools, name, item))),
    );
    // What failed is not counted: it is tried again after a pause, not at once.
    return done.filter((isDone) => isDone).length;
  };
  const poll = (
    name: 'pollBanks' | 'pollCardProcessors' | 'captureBeforeExpiry',
    run: (item: DuePoll) => Promise<unknown>,
  ): Promise<number> =>
    polls[name].poll(
      (item) => run(item).then(() => true, logFailure(tools, name, item)),
      patience?.(),
    );
  return {
    expirePaymentRequests: async () =>
      each('expirePaymentRequests', await due.requests(batchSize), (item) =>
        changePayment(tools, tenantOf(item), item.payment_request_id, (_, change) =>
          endIfExpired(tools, change),
        ),
      ),
    closeAbandonedAttempts: async () =>
      each('closeAbandonedAttempts', await due.authorisations(batchSize), (item) =>
        closeAttempt(tools, tenantOf(item), item.payment_request_id, item.attempt_id),
      ),
    alertOperator: async () =>
      each('alertOperator', await due.operatorAlerts(batchSize), (item) =>
        alertOfHeldMoney(tools, item),
      ),
    settle: polls.settle,
    pollBanks: () =>
      poll('pollBanks', async (item) => {
        const rail = tools.bankRails.find(item.environment);
        if (rail)
          await pollBank(tools, rail, tenantOf(item), item.payment_request_id, item.attempt_id);
      }),
    pollCardProcessors: () =>
      poll('pollCardProcessors', async (item) => {
        const [tenant, rail] = [tenantOf(item), await tools.cardRails.find(tenantOf(item))];
        if (rail)
          await pollCardProcessor(tools, rail, tenant, item.payment_request_id, item.attempt_id);
      }),
    captureBeforeExpiry: () =>
      poll('captureBeforeExpiry', async (item) => {
        const [tenant, rail] = [tenantOf(item), await tools.cardRails.find(tenantOf(item))];
        if (rail) await captureDue(tools, rail, tenant, item.payment_request_id);
      }),
    pruneOrderGuard: () => pruneOrderGuard(tools.database),
    nextDueAt: due.next,
  };
};

const openPolls = (tools: Uses<'database'>) => {
  const toBanks = { limit: batchSize, maxPerPartner: maxPerBank, leaseMs: pollLeaseMs };
  const toAccounts = { ...toBanks, maxPerPartner: maxPerAccount };
  const [pollBanks, pollCardProcessors, captureBeforeExpiry] = [
    runDuePolls(tools, bankPolls, toBanks),
    runDuePolls(tools, cardPolls, toAccounts),
    runDuePolls(tools, cardCaptures, toAccounts),
  ];
  const settle = async (): Promise<void> => {
    await Promise.all([
      pollBanks.settle(),
      pollCardProcessors.settle(),
      captureBeforeExpiry.settle(),
    ]);
  };
  return { pollBanks, pollCardProcessors, captureBeforeExpiry, settle };
};

export type PaymentJobs = ReturnType<typeof paymentJobs>;

const tenantOf = ({ merchant_id, environment }: DueRequest) => ({
  merchantId: merchant_id,
  environment,
});

const logFailure =
  (tools: Pick<Tools, 'log'>, job: string, item: DueRequest) =>
  (error: unknown): false => {
    const { payment_request_id: paymentRequestId } = item;
    tools.log.warn(
      { job, paymentRequestId, error: (error as Error).message },
      'a job will try again',
    );
    return false;
  };

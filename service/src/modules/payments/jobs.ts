import type { CardRails } from '#modules/cards/index.ts';
import type { Tools, Uses } from '#platform/tools.ts';
import { askBank } from './bank/ask-bank.ts';
import { askDue, type DueTalk } from './bank/ask-due.ts';
import { bankQuestions, cardCaptures, cardQuestions } from './bank/store/claim-due-talks.ts';
import { tellOfHeldMoney } from './bank/tell-operator.ts';
import { captureDue } from './card/captures/capture-due.ts';
import { askCardProcessor } from './card/outcomes/ask-card-processor.ts';
import type { BankRails } from './core/bank-rails.ts';
import { changePayment } from './core/change-payment.ts';
import { claimDue, type DueRequest } from './core/store/claim-due.ts';
import { pruneOrderGuard } from './core/store/prune-order-guard.ts';
import { closeAttempt } from './requests/end-attempt.ts';
import { endIfExpired } from './requests/expire-payment-request.ts';

const mostAtOnce = 50;
const mostPerBank = 10;
const mostPerAccount = 40;
const pollLeaseMs = 45_000;

type JobTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
  readonly bankRails: BankRails;
  readonly cardRails: Pick<CardRails, 'find'>;
};

/** Each runs what is due and says how much it did; safe to run anywhere, any number of times. */
export const paymentJobs = (
  tools: JobTools,
  /** How long a round waits for its slowest bank or processor; left out: until all have answered. */
  patience?: () => Promise<unknown>,
) => {
  const due = claimDue(tools.database);
  const talks = openTalks(tools);
  const each = async <Item extends DueRequest>(
    name: string,
    items: readonly Item[],
    run: (item: Item) => Promise<unknown>,
  ): Promise<number> => {
    const done = await Promise.all(
      items.map((item) => run(item).then(() => true, tellFailure(tools, name, item))),
    );
    // What failed is not counted: it is tried again after a pause, not at once.
    return done.filter((isDone) => isDone).length;
  };
  const ask = (
    name: 'askBanks' | 'askCardProcessors' | 'captureBeforeExpiry',
    run: (item: DueTalk) => Promise<unknown>,
  ): Promise<number> =>
    talks[name].ask(
      (item) => run(item).then(() => true, tellFailure(tools, name, item)),
      patience?.(),
    );
  return {
    expirePaymentRequests: async () =>
      each('expirePaymentRequests', await due.requests(mostAtOnce), (item) =>
        changePayment(tools, tenantOf(item), item.payment_request_id, (_, change) =>
          endIfExpired(tools, change),
        ),
      ),
    closeAbandonedAttempts: async () =>
      each('closeAbandonedAttempts', await due.authorisations(mostAtOnce), (item) =>
        closeAttempt(tools, tenantOf(item), item.payment_request_id, item.attempt_id),
      ),
    tellOperator: async () =>
      each('tellOperator', await due.operatorAlerts(mostAtOnce), (item) =>
        tellOfHeldMoney(tools, item),
      ),
    settle: talks.settle,
    askBanks: () =>
      ask('askBanks', async (item) => {
        const rail = tools.bankRails.find(item.environment);
        if (rail)
          await askBank(tools, rail, tenantOf(item), item.payment_request_id, item.attempt_id);
      }),
    askCardProcessors: () =>
      ask('askCardProcessors', async (item) => {
        const [tenant, rail] = [tenantOf(item), await tools.cardRails.find(tenantOf(item))];
        if (rail)
          await askCardProcessor(tools, rail, tenant, item.payment_request_id, item.attempt_id);
      }),
    captureBeforeExpiry: () =>
      ask('captureBeforeExpiry', async (item) => {
        const [tenant, rail] = [tenantOf(item), await tools.cardRails.find(tenantOf(item))];
        if (rail) await captureDue(tools, rail, tenant, item.payment_request_id);
      }),
    pruneOrderGuard: () => pruneOrderGuard(tools.database),
    nextDueAt: due.next,
  };
};

const openTalks = (tools: Uses<'database'>) => {
  const toBanks = { most: mostAtOnce, mostPerPartner: mostPerBank, leaseMs: pollLeaseMs };
  const toAccounts = { ...toBanks, mostPerPartner: mostPerAccount };
  const [askBanks, askCardProcessors, captureBeforeExpiry] = [
    askDue(tools, bankQuestions, toBanks),
    askDue(tools, cardQuestions, toAccounts),
    askDue(tools, cardCaptures, toAccounts),
  ];
  const settle = async (): Promise<void> => {
    await Promise.all([
      askBanks.settle(),
      askCardProcessors.settle(),
      captureBeforeExpiry.settle(),
    ]);
  };
  return { askBanks, askCardProcessors, captureBeforeExpiry, settle };
};

export type PaymentJobs = ReturnType<typeof paymentJobs>;

const tenantOf = ({ merchant_id, environment }: DueRequest) => ({
  merchantId: merchant_id,
  environment,
});

const tellFailure =
  (tools: Pick<Tools, 'log'>, job: string, item: DueRequest) =>
  (error: unknown): false => {
    const { payment_request_id: paymentRequestId } = item;
    tools.log.warn(
      { job, paymentRequestId, error: (error as Error).message },
      'a job will try again',
    );
    return false;
  };

import { tenantOf } from '#kernel/environment.ts';
import type { FindAccount } from '#modules/cards/index.ts';
import {
  errorText,
  finishWork,
  pruneWorkLeases,
  type Work,
} from '#platform/database/stuck-rows.ts';
import { runEach } from '#platform/run-each.ts';
import type { Tools, Uses } from '#platform/tools.ts';
import { alertOfHeldMoney, pollBank } from './bank/poll-bank.ts';
import { bankPolls } from './bank/store.ts';
import { captureDue } from './card/captures.ts';
import { pollCardProcessor } from './card/poll-card-processor.ts';
import { cardWork } from './card/store/find-cards.ts';
import type { BankRails } from './core/bank-rails.ts';
import { changePayment } from './core/change-payment.ts';
import { runDueCalls } from './core/run-due-calls.ts';
import {
  claimDue,
  type DueAttempt,
  type DueCall,
  type DueRequest,
} from './core/store/claim-due.ts';
import { closeAttempt, endIfExpired } from './requests/end-request.ts';
import { pruneOrderGuard } from './requests/store.ts';

const batchSize = 50;
const maxPerBank = 10;
const maxPerAccount = 40;
const callLeaseMs = 45_000;

type JobTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
  readonly bankRails: BankRails;
  readonly cardRails: FindAccount;
};

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const paymentJobs = (
  tools: JobTools,
  {
    patience,
    ignoresLeases = false,
  }: {
    /** How long a round waits for its slowest bank or processor; left out: until all have answered. */
    readonly patience?: () => Promise<unknown>;
    readonly ignoresLeases?: boolean;
  } = {},
) => {
  const due = claimDue(tools.database, ignoresLeases);
  const calls = openCalls(tools);
  const each = <Item extends DueRequest | DueAttempt>(
    work: Work,
    items: readonly Item[],
    run: (item: Item) => Promise<unknown>,
  ): Promise<number> => runEach(tools, work, items, subjectOf, run);
  const call = (
    name: 'pollBanks' | 'pollCardProcessors' | 'captureBeforeExpiry',
    run: (item: DueCall) => Promise<unknown>,
  ): Promise<number> => {
    const work = name === 'captureBeforeExpiry' ? 'CAPTURE' : 'POLL';
    return calls[name].run(callOne(tools, work, run), patience?.());
  };
  return {
    expirePaymentRequests: async () =>
      each('EXPIRE', await due.requests(batchSize), (item) =>
        changePayment(tools, tenantOf(item), item.payment_request_id, (_, change) =>
          endIfExpired(tools, change),
        ),
      ),
    closeAbandonedAttempts: async () =>
      each('ABANDON', await due.authorisations(batchSize), (item) =>
        closeAttempt(tools, tenantOf(item), item.payment_request_id, item.attempt_id),
      ),
    alertOperator: async () =>
      each('ALERT', await due.operatorAlerts(batchSize), (item) => alertOfHeldMoney(tools, item)),
    drain: calls.drain,
    pollBanks: () => call('pollBanks', (item) => pollOne(tools, item)),
    pollCardProcessors: () =>
      call('pollCardProcessors', (item) =>
        pollCardProcessor(tools, tenantOf(item), item.payment_request_id, item.attempt_id),
      ),
    captureBeforeExpiry: () =>
      call('captureBeforeExpiry', (item) =>
        captureDue(tools, tenantOf(item), item.payment_request_id, item.attempt_id),
      ),
    pruneOrderGuard: () => pruneOrderGuard(tools.database),
    pruneWorkLeases: () => pruneWorkLeases(tools.database),
  };
};

const openCalls = (tools: Uses<'database'>) => {
  const toBanks = { limit: batchSize, maxPerPartner: maxPerBank, leaseMs: callLeaseMs };
  const toAccounts = { ...toBanks, maxPerPartner: maxPerAccount };
  const calls = {
    pollBanks: runDueCalls(tools, bankPolls, toBanks),
    pollCardProcessors: runDueCalls(tools, cardWork.polls, toAccounts),
    captureBeforeExpiry: runDueCalls(tools, cardWork.captures, toAccounts),
  };
  const drain = async (): Promise<void> => {
    await Promise.all(Object.values(calls).map((kind) => kind.drain()));
  };
  return { ...calls, drain };
};

const callOne =
  (tools: JobTools, work: Work, run: (item: DueCall) => Promise<unknown>) =>
  async (item: DueCall): Promise<boolean> => {
    const error = await run(item).then(() => null, logFailure(tools, work, item));
    if (error !== null || item.has_failed)
      await finishWork(tools.database, work, [{ ...item, subjectId: item.attempt_id, error }]);
    return error === null;
  };

const pollOne = async (tools: JobTools, item: DueCall): Promise<void> => {
  const rail = tools.bankRails.find(item.environment);
  const { payment_request_id, attempt_id } = item;
  if (rail) await pollBank(tools, rail, tenantOf(item), payment_request_id, attempt_id);
};

const subjectOf = (item: DueRequest | DueAttempt): string =>
  'attempt_id' in item ? item.attempt_id : item.payment_request_id;

export type PaymentJobs = ReturnType<typeof paymentJobs>;

const logFailure =
  (tools: Pick<Tools, 'log'>, job: string, item: DueRequest) =>
  (error: unknown): string => {
    const { payment_request_id: paymentRequestId } = item;
    tools.log.warn(
      { job, paymentRequestId, error: (error as Error).message },
      'a job will try again',
    );
    return errorText(error);
  };

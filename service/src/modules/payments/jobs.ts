import { type Tenant, tenantOf } from '#kernel/environment.ts';
import type { FindAccount } from '#modules/cards/index.ts';
import {
  errorText,
  finishWork,
  pruneWorkLeases,
  type Work,
} from '#platform/database/stuck-rows.ts';
import type { Job } from '#platform/jobs.ts';
import { runEach } from '#platform/run-each.ts';
import type { Tools, Uses } from '#platform/tools.ts';
import type { PaymentForecast } from '#rails/simulator-rail.ts';
import { subscribeToBanks } from './bank/bank-events.ts';
import { skipPolls } from './bank/plan-polls.ts';
import { alertOfHeldMoney, pollBank } from './bank/poll-bank.ts';
import { bankPolls } from './bank/store.ts';
import { captureDue } from './card/captures.ts';
import { pollCardProcessor } from './card/poll-card-processor.ts';
import { cardWork } from './card/store/find-cards.ts';
import { pruneOrderGuard } from './card/store/insert-charge.ts';
import type { BankRails } from './core/bank-rails.ts';
import { changePayment } from './core/change-payment.ts';
import {
  type ClaimDueAttempts,
  claimDue,
  type DueAttempt,
  type DueCall,
  type DueRequest,
  runClaim,
} from './core/store/claim-due.ts';
import { simulatorReferences, tenantDue } from './core/store/tenant-due.ts';
import { sendAnswers } from './dispute-answers/send-answers.ts';
import { closeAttempt, endIfExpired } from './requests/end-request.ts';

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
    sendDisputeAnswers: () => sendAnswers(tools),
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

type CallLimits = {
  readonly limit: number;
  readonly maxPerPartner: number;
  readonly leaseMs: number;
};

/**
 * Calls banks or processors about what is due, each about some attempts at a time: one that keeps us
 * waiting delays no call to another.
 */
const runDueCalls = (tools: Uses<'database'>, kind: ClaimDueAttempts, limits: CallLimits) => {
  const running = new Set<Promise<boolean>>();
  const runningOf = new Map<string, number>();
  const count = (partner: string, change: number): void => {
    const now = (runningOf.get(partner) ?? 0) + change;
    if (now > 0) runningOf.set(partner, now);
    else runningOf.delete(partner);
  };
  const start = (item: DueCall, call: (item: DueCall) => Promise<boolean>): Promise<boolean> => {
    count(item.partner, 1);
    const calling = call(item).finally(() => {
      count(item.partner, -1);
      running.delete(calling);
    });
    running.add(calling);
    return calling;
  };
  return {
    /** The number of answered calls, once all are answered or `enough` resolves. */
    run: async (
      call: (item: DueCall) => Promise<boolean>,
      enough: Promise<unknown> = new Promise(() => undefined),
    ): Promise<number> => {
      const due = await runClaim(tools.database, kind, {
        ...limits,
        partners: [...runningOf.keys()],
        running: [...runningOf.values()],
      });
      let answered = 0;
      const requested = due.map(async (item) => {
        if (await start(item, call)) answered += 1;
      });
      if (requested.length > 0) await Promise.race([Promise.all(requested), enough]);
      return answered;
    },
    /** When no call is running any more. */
    drain: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
};

const pruneEveryMs = 60_000;
// It calls a bank once an hour: between, it only looks at the time.
const subscribeEveryMs = 1_000;

/** What a worker runs. */
export const jobsOfPayments = (
  tools: JobTools &
    Parameters<typeof subscribeToBanks>[0] & {
      readonly patience: () => Promise<unknown>;
      readonly publicUrl: string;
    },
): readonly Job[] => {
  const jobs = paymentJobs(tools, { patience: tools.patience });
  return [
    { name: 'expirePaymentRequests', run: jobs.expirePaymentRequests },
    { name: 'alertOperator', run: jobs.alertOperator },
    { name: 'closeAbandonedAttempts', run: jobs.closeAbandonedAttempts },
    { name: 'pollBanks', run: jobs.pollBanks, drain: jobs.drain },
    { name: 'pollCardProcessors', run: jobs.pollCardProcessors },
    { name: 'captureBeforeExpiry', run: jobs.captureBeforeExpiry },
    { name: 'sendDisputeAnswers', run: jobs.sendDisputeAnswers },
    {
      name: 'subscribeToBanks',
      everyMs: subscribeEveryMs,
      run: subscribeToBanks(tools, tools.publicUrl),
    },
    { name: 'pruneOrderGuard', everyMs: pruneEveryMs, run: jobs.pruneOrderGuard },
    { name: 'pruneWorkLeases', everyMs: pruneEveryMs, run: jobs.pruneWorkLeases },
  ];
};

const maxRounds = 50;

/** What falls due for a merchant's payments when its sandbox clock is moved. */
export const paymentsDue = (
  tools: Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
    readonly bankRails: BankRails;
    readonly cardRails: FindAccount;
  },
) => {
  const due = tenantDue(tools.database);
  const jobs = paymentJobs(tools, { ignoresLeases: true });
  return {
    nextDueAt: (tenant: Tenant, after: Date) => due.next(tenant, after),
    recompute: (tenant: Tenant) => due.recompute(tenant),
    skipPolls: (tenant: Tenant, forecast: readonly PaymentForecast[], until: Date) =>
      skipPolls(tools.database, tenant, forecast, until),
    simulatorReferences: (tenant: Tenant) => simulatorReferences(tools.database, tenant),
    runDue: async (tenant: Tenant) => {
      // Once more: a statement that began before the clock moved may have ended after the first time.
      await due.recompute(tenant);
      for (let round = 0; round < maxRounds; round += 1) {
        const done = await Promise.all([
          jobs.expirePaymentRequests(),
          jobs.closeAbandonedAttempts(),
          jobs.pollBanks(),
          jobs.pollCardProcessors(),
          jobs.captureBeforeExpiry(),
        ]);
        if (done.every((count) => count === 0)) return;
      }
    },
  };
};

import type { Tools, Uses } from '#platform/tools.ts';
import { askBank } from './ask-bank.ts';
import type { BankRails } from './bank-rails.ts';
import { changePayment } from './change-payment.ts';
import { endAttempt } from './end-attempt.ts';
import { endIfExpired } from './expire-payment-request.ts';
import { isPastExpiry } from './payment.ts';
import { claimDue, type DueAttempt, type DueRequest } from './store/claim-due.ts';
import { foldCounts } from './store/fold-counts.ts';
import { loadPayment } from './store/load-payment.ts';

const mostAtOnce = 50;
const mostDaysFolded = 100;
const pollLeaseMs = 45_000;

type JobTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
  readonly bankRails: BankRails;
};

/** Each runs what is due and says how much it did; safe to run anywhere, any number of times. */
export const paymentJobs = (tools: JobTools) => {
  const due = claimDue(tools.database);
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
  return {
    expirePaymentRequests: async () =>
      each('expirePaymentRequests', await due.requests(mostAtOnce), (item) =>
        changePayment(tools, tenantOf(item), item.payment_request_id, (_, change) =>
          endIfExpired(tools, change),
        ),
      ),
    closeAbandonedAttempts: async () =>
      each('closeAbandonedAttempts', await due.authorisations(mostAtOnce), (item) =>
        closeAbandonedAttempt(tools, item),
      ),
    askBanks: async () =>
      each('askBanks', await due.polls(mostAtOnce, pollLeaseMs), async (item) => {
        const rail = tools.bankRails.find(item.environment);
        if (rail)
          await askBank(tools, rail, tenantOf(item), item.payment_request_id, item.attempt_id);
      }),
    foldTransactionCounts: () => foldCounts(tools.database, mostDaysFolded),
    nextDueAt: due.next,
  };
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

/** How far the attempt had come says what its silence means. In no case has money moved. */
const closeAbandonedAttempt = async (tools: JobTools, item: DueAttempt): Promise<void> => {
  const payment = await loadPayment(tools.database, tenantOf(item), item.payment_request_id);
  const attempt = payment?.attempts.find((other) => other.attemptId === item.attempt_id);
  if (!payment || attempt?.status !== 'AWAITING_AUTHORIZATION') return;
  if (attempt.authoriseByBusiness > payment.now) return;
  if (payment.strictExpiry && isPastExpiry(payment))
    await endAttempt(tools, payment, attempt.attemptId, 'requestExpired', {
      code: 'REQUEST_EXPIRED',
      description: 'The payment request expired before the payment was approved.',
    });
  else if (attempt.step === 'CREATING_CONSENT')
    await endAttempt(tools, payment, attempt.attemptId, 'refusedByBank', {
      code: 'CONSENT_LOST',
      description: 'The bank could not be reached. No money has moved.',
    });
  else if (attempt.step === 'EXCHANGING')
    await endAttempt(tools, payment, attempt.attemptId, 'exchangeLost', {
      code: 'EXCHANGE_LOST',
      description: 'The payment was interrupted before it was sent. No money has moved.',
    });
  else
    await endAttempt(tools, payment, attempt.attemptId, 'abandoned', {
      code: 'NOT_APPROVED_IN_TIME',
      description: 'The payment was not approved at the bank in time.',
    });
};

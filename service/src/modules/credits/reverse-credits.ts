import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { openCases, resolveCaseOf } from '#modules/operator-cases/index.ts';
import { hurryPollOf, reverseByDebit } from '#modules/payments/index.ts';
import { MerchantElsewhere } from '#platform/database/database-unavailable.ts';
import { runEachWithOwnPause } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { type CreditStatus, creditLifecycle } from './credit-lifecycle.ts';
import { findPaymentOfId, type PaymentOfId } from './payment-of-id.ts';
import {
  claimDebits,
  type DueDebit,
  findCreditOf,
  findDebit,
  linkDebit,
  moveDebit,
  otherCreditOf,
  reserveCredit,
  reverseCreditRow,
  type TakenCredit,
} from './store/debits.ts';
import {
  holdByDebit,
  holdPayment,
  readHeld,
  releaseFailed,
  releaseUnlessOpen,
} from './store/held-payments.ts';

type Tools = Uses<'database' | 'ids' | 'log' | 'wakeDispatcher'>;

const batchSize = 50;
const leaseMs = 30_000;
/** A report of the credit may come after that of the debit. */
const maxTries = 12;
const longestPauseMs = 10 * 60_000;
const anotherLookMs = 1_000;

/** Ends the credits whose money the bank has debited again (PAYOUT-4). */
export const reverseCredits = async (tools: Tools): Promise<number> => {
  const claimed = await tools.database.system(claimDebits, { limit: batchSize, leaseMs });
  const apply = (debit: DueDebit): Promise<boolean> =>
    applyDebit(tools, debit).catch((error: unknown) => {
      if (!(error instanceof MerchantElsewhere)) throw error;
      return endUnexplained(tools, debit);
    });
  return runEachWithOwnPause(tools, 'reverseCredits', claimed, apply, (debit, error) => {
    tools.log.warn({ endToEndId: debit.end_to_end_id, error }, 'a debit is taken later');
    return move(tools, debit, false, error);
  });
};

const applyDebit = async (tools: Tools, debit: DueDebit): Promise<boolean> => {
  const { environment, entry_key: entryKey, end_to_end_id: endToEndId } = debit;
  const amountPence = debit.amount_pence.toString();
  const [credit] = endToEndId
    ? await tools.database.system(findCreditOf, { environment, endToEndId, amountPence, entryKey })
    : [];
  if (!credit) return await waitForCredit(tools, debit);
  const awaitedMs = await untilTaken(tools, debit, credit);
  if (awaitedMs !== null) {
    await move(tools, debit, false, null, awaitedMs);
    return false;
  }
  // Another debit may have taken it meanwhile: then this one is tried again.
  await tools.database.system(linkDebit, { environment, entryKey, creditId: credit.credit_id });
  await resolveCaseOf(tools, 'DEBIT_UNEXPLAINED', subjectOf(debit), {
    actor: 'Florin',
    resolution: 'The credit that it took back was reported.',
  });
  return true;
};

/** Of a merchant that is in another cell: what it took is booked there. */
const endUnexplained = async (tools: Tools, debit: DueDebit): Promise<true> => {
  await openCases(tools, [await unexplained(tools, debit, null)]);
  await move(tools, debit, true, null);
  return true;
};

/** True: nothing explains it, which is a case from now on. */
const waitForCredit = async (tools: Tools, debit: DueDebit): Promise<boolean> => {
  const { environment, end_to_end_id: endToEndId, amount_pence: amountPence } = debit;
  const named = endToEndId ? await findPaymentOfId(tools, environment, endToEndId) : null;
  const awaitedMs = named?.amountPence === amountPence ? await untilReversed(tools, named) : null;
  const isGivenUp =
    awaitedMs === null ? endToEndId === null || debit.tries >= maxTries : awaitedMs === 0;
  // What it took must not leave a second time.
  if (named && named.amountPence !== amountPence) {
    const { tenant, attemptId } = named;
    const values = { ...tenant, attemptId, amountPence: amountPence.toString() };
    await tools.database.system(holdByDebit, { ...values, entryKey: debit.entry_key });
  }
  if (isGivenUp) await openCases(tools, [await unexplained(tools, debit, named)]);
  await move(tools, debit, isGivenUp, null, awaitedMs ?? longestPauseMs);
  return isGivenUp;
};

/**
 * Of a payment whose bank says that it is paid, while the account lists a debit of it and no credit. One is
 * awaited as long as a second one; then the money is not here. 0: it was reversed; null: it had ended.
 */
const untilReversed = async (tools: Tools, payment: PaymentOfId): Promise<number | null> => {
  const { tenant, attemptId, amountPence, status } = payment;
  if (status === 'COMPLETED') {
    const awaitedMs = await awaitSecondCredit(tools, tenant, attemptId, amountPence);
    if (awaitedMs > 0) return awaitedMs;
  }
  if ((await reverseByDebit(tools, tenant, payment)) === 'WAITS') return longestPauseMs;
  await tools.database.system(releaseFailed, { ...tenant, attemptId });
  return status === 'COMPLETED' ? 0 : null;
};

/** Takes it, then null; else when it is looked at again at the latest. */
const untilTaken = async (
  tools: Tools,
  { amount_pence: amountPence, entry_key: entryKey }: DueDebit,
  credit: TakenCredit,
): Promise<number | null> => {
  // The payment of an OPEN one is looked for.
  if (credit.status === 'OPEN') return longestPauseMs;
  const payment = paymentOf(credit);
  if (payment) {
    const awaitedMs = await awaitSecondCredit(
      tools,
      payment.tenant,
      payment.attemptId,
      amountPence,
    );
    if (awaitedMs > 0) return awaitedMs;
  }
  if (!(await isReserved(tools, credit, entryKey))) return anotherLookMs;
  if (payment) {
    const effect = await reverseByDebit(tools, payment.tenant, payment);
    if (effect === 'WAITS') return longestPauseMs;
  }
  if (credit.status === 'REVERSED') await resolveCase(tools, credit);
  else await reverseCredit(tools, credit);
  return null;
};

/** That which a matched credit has paid. */
const paymentOf = (credit: TakenCredit) => {
  const { status, merchant_id: merchantId, environment } = credit;
  const { payment_request_id: paymentRequestId, attempt_id: attemptId } = credit;
  if (status !== 'MATCHED' || !merchantId || !paymentRequestId || !attemptId) return null;
  return { tenant: { merchantId, environment }, paymentRequestId, attemptId };
};

/** False: another credit came, or another worker has set the debit against it. */
export const isReserved = async (
  { database }: Uses<'database'>,
  { credit_id: creditId }: Pick<TakenCredit, 'credit_id'>,
  entryKey: string | null,
): Promise<boolean> => (await database.system(reserveCredit, { creditId, entryKey })).length > 0;

/**
 * A bank that credited twice and takes one back may list the debit first. A reversal is for ever, so that
 * long the second credit is awaited, and the money of the payment does not leave. Its bank is asked at once
 * whether it has rejected the payment. 0: no longer.
 */
export const awaitSecondCredit = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  attemptId: string,
  amountPence: bigint,
): Promise<number> => {
  const forMs = limits.secondCreditWithinMs;
  const values = { ...tenant, attemptId, amountPence: amountPence.toString(), forMs };
  const [begun] = await database.system(holdPayment, values);
  if (begun) await database.system(hurryPollOf, { ...tenant, attemptId });
  const [held] = await database.system(readHeld, { ...tenant, attemptId });
  if (begun) await database.system(releaseUnlessOpen, { ...tenant, attemptId });
  return held?.awaited_ms ?? 0;
};

const subjectOf = ({ environment, entry_key: entryKey }: DueDebit): string =>
  `${environment} ${entryKey}`;

const unexplained = async ({ database }: Tools, debit: DueDebit, named: PaymentOfId | null) => {
  const { environment, end_to_end_id: endToEndId } = debit;
  const [other] = endToEndId
    ? await database.system(otherCreditOf, { environment, endToEndId })
    : [];
  return {
    kind: 'DEBIT_UNEXPLAINED' as const,
    subject: subjectOf(debit),
    description:
      'Money has left the collecting account that nothing explains. Ask the bank what it was for, ' +
      'then resolve the case. Until then the payment that it names is neither paid out nor refunded.',
    evidence: {
      environment,
      pence: debit.amount_pence.toString(),
      bankReference: debit.bank_reference,
      bookedOn: debit.booked_on,
      endToEndId,
      creditPence: other?.amount_pence.toString() ?? null,
      creditStatus: other?.status ?? null,
      paymentRequestId: other?.payment_request_id ?? named?.paymentRequestId ?? null,
    },
  };
};

const move = async (
  { database }: Tools,
  { environment, entry_key: entryKey, tries }: DueDebit,
  isDone: boolean,
  error: string | null,
  atLatestMs = longestPauseMs,
): Promise<void> => {
  const delayMs = isDone
    ? null
    : Math.ceil(Math.min(1_000 * 2 ** tries, longestPauseMs, atLatestMs));
  await database.system(moveDebit, { environment, entryKey, delayMs, error });
};

type Credit = { readonly credit_id: string; readonly status: CreditStatus };

/** The case last: killed in between, the next try of the debit resolves it. */
export const reverseCredit = async (tools: Uses<'database'>, credit: Credit): Promise<void> => {
  const { credit_id: creditId, status: fromStatus } = credit;
  const toStatus = creditLifecycle.next(fromStatus, 'reversed') ?? fromStatus;
  const [row] = await tools.database.system(reverseCreditRow, { creditId, fromStatus, toStatus });
  if (row) await resolveCase(tools, credit);
};

const resolveCase = ({ database }: Uses<'database'>, credit: Credit): Promise<void> =>
  resolveCaseOf({ database }, 'CREDIT_UNMATCHED', credit.credit_id, {
    actor: 'The bank',
    resolution: 'It has taken the money from the account again.',
  });

/** The bank has debited again all that it credited under this id. */
export const isReversed = async (
  { database }: Uses<'database'>,
  credit: {
    readonly environment: string;
    readonly end_to_end_id: string | null;
    readonly amount_pence: bigint;
  },
): Promise<boolean> => {
  if (credit.end_to_end_id === null) return false;
  const [found] = await database.system(findDebit, {
    environment: credit.environment,
    endToEndId: credit.end_to_end_id,
    amountPence: credit.amount_pence.toString(),
  });
  return found?.is_there === true;
};

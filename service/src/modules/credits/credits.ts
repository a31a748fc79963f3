import { createHash } from 'node:crypto';
import { type Environment, type Tenant, tenantOf } from '#kernel/environment.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { reverseByDebit, settleByCredit } from '#modules/payments/index.ts';
import { outsideText } from '#platform/card-numbers/mask-card-numbers.ts';
import { MerchantElsewhere } from '#platform/database/database-unavailable.ts';
import { metrics } from '#platform/metrics.ts';
import { runEachWithOwnPause } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import type { AccountReport, StatementEntry } from '#rails/transfer-rail.ts';
import { creditLifecycle } from './credit-lifecycle.ts';
import { findPaymentOfId } from './payment-of-id.ts';
import { awaitSecondCredit, isReserved, isReversed, reverseCredit } from './reverse-credits.ts';
import {
  type CreditRow,
  claimCredits,
  endCredit,
  findCandidates,
  linkCredit,
  type MatchedBy,
  matchCreditRow,
  postponeCredit,
} from './store/credits.ts';
import { insertEntries, isCollectingAccount, mentionBookings } from './store/reported-entries.ts';

/**
 * Stores the credits and debits of an account report; a debit may take a credit back. Not those of
 * `own` transfers. False: the report is about another account.
 */
export const recordCredits = async (
  { database }: Uses<'database'>,
  environment: Environment,
  report: AccountReport,
  own: ReadonlySet<StatementEntry>,
): Promise<boolean> => {
  const { account, entries } = report;
  const [found] = await database.system(isCollectingAccount, { environment, ...account });
  if (!found?.is_known) return false;
  const keys = await keysOf({ database }, environment, report);
  const booked = entries
    .map((entry, at) => ({ entry, key: keys[at] ?? '' }))
    .filter(({ entry }) => entry.status === 'BOOKED' && !own.has(entry));
  const credits = booked.flatMap(({ entry, key }) =>
    entry.direction === 'CREDIT' ? [creditRow(entry, key)] : [],
  );
  const debits = booked.flatMap(({ entry, key }) =>
    entry.direction === 'DEBIT' ? [debitRow(entry, key)] : [],
  );
  if (booked.length > 0)
    await database.system(insertEntries, {
      environment,
      credits: JSON.stringify(credits),
      debits: JSON.stringify(debits),
    });
  return true;
};

/**
 * Not every bank's references are unique: an entry is known by all that it says, and by how many equal ones
 * stand before it in its report. Intraday reports list an entry again and again. A notification or a
 * statement does not, so an entry without a reference is not the equal one of the message before.
 */
const keysOf = async (
  { database }: Uses<'database'>,
  environment: Environment,
  { entries, list, messageId }: AccountReport,
): Promise<readonly string[]> => {
  const digests = entries.map(digestOf);
  const mentioned = new Map<string, number>();
  for (const [at, { entryReference, status }] of entries.entries()) {
    const digest = digests[at] ?? '';
    if (entryReference === null && status === 'BOOKED')
      mentioned.set(digest, (mentioned.get(digest) ?? 0) + 1);
  }
  const next = new Map<string, number>();
  if (list !== 'INTRADAY' && mentioned.size > 0) {
    const mentions = JSON.stringify(
      [...mentioned].map(([digest, bookings]) => ({ digest, bookings })),
    );
    const rows = await database.system(mentionBookings, { environment, list, messageId, mentions });
    // Another program reads a message with the same bookings: this one is tried again.
    if (rows.length < mentioned.size) throw new Error('Another message names the same bookings.');
    for (const { digest, first_ordinal } of rows) next.set(digest, first_ordinal);
  }
  return digests.map((digest) => {
    const ordinal = next.get(digest) ?? 0;
    next.set(digest, ordinal + 1);
    return `${digest} ${ordinal}`;
  });
};

const digestOf = (entry: StatementEntry): string => {
  const { entryReference, bookedOn, endToEndId, counterparty, remittance } = entry;
  const said = [
    ...[entry.direction, entry.status, entry.amountPence.toString()],
    ...[entryReference, bookedOn, endToEndId, counterparty, remittance],
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
};

const creditRow = (entry: StatementEntry, entryKey: string) => ({
  entry_key: entryKey,
  amount_pence: entry.amountPence.toString(),
  bank_reference: entry.entryReference,
  booked_on: entry.bookedOn,
  end_to_end_id: entry.endToEndId,
  payer_name: entry.counterparty.name,
  // Cleaned here: an entry is known by what the bank wrote.
  remittance: outsideText(entry.remittance),
  is_returned: entry.returned !== null || entry.isReversal,
});

const debitRow = (entry: StatementEntry, entryKey: string) => ({
  entry_key: entryKey,
  amount_pence: entry.amountPence.toString(),
  bank_reference: entry.entryReference,
  booked_on: entry.bookedOn,
  end_to_end_id: entry.endToEndId,
});

export type CreditTools = Uses<'database' | 'ids' | 'log' | 'wakeDispatcher'>;

export type PaymentOfCredit = {
  readonly tenant: Tenant;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  readonly matchedBy: MatchedBy;
};

const batchSize = 50;
const leaseMs = 30_000;
/** The name of a payer, or a debit, may come after the money: that often it is looked for. */
const maxTries = 3;
const pausesMs = [1_000, 3_000] as const;
const longestPauseMs = 10 * 60_000;

/** Matches what arrived to payments, and settles those (PAYOUT-4). */
export const matchCredits = async (tools: CreditTools): Promise<number> => {
  const toStatus = creditLifecycle.next('OPEN', 'matched') ?? 'OPEN';
  const values = { limit: batchSize, leaseMs, toStatus };
  const claimed = await tools.database.system(claimCredits, values);
  const open = claimed.filter(({ status }) => status !== toStatus);
  const matched = claimed.length - open.length;
  if (matched > 0) metrics.add('florin_credits_matched_total', matched, { by: 'END_TO_END_ID' });
  const match = (credit: CreditRow): Promise<boolean> => matchCredit(tools, credit);
  const done = await runEachWithOwnPause(tools, 'matchCredits', open, match, (credit, error) => {
    tools.log.warn({ creditId: credit.credit_id, error }, 'a credit is matched later');
    return postpone(tools, credit, error);
  });
  return matched + done;
};

/** Of a merchant that is in another cell: the money is on the account of this one (CELLS). */
const matchCredit = (tools: CreditTools, credit: CreditRow): Promise<boolean> =>
  matchHere(tools, credit).catch((error: unknown) => {
    if (!(error instanceof MerchantElsewhere)) throw error;
    return giveUp(tools, credit, 'MERCHANT_IN_OTHER_CELL');
  });

const matchHere = async (tools: CreditTools, credit: CreditRow): Promise<boolean> => {
  const found = await findPayment(tools, credit);
  if (!found) {
    if (credit.tries < maxTries && !credit.is_returned) return postpone(tools, credit);
    return giveUp(tools, credit, credit.is_returned ? 'RETURNED_WITHOUT_ID' : 'NO_PAYMENT');
  }
  if (found.amountPence !== credit.amount_pence) return giveUp(tools, credit, 'OTHER_AMOUNT');
  if (!(await isLinked(tools, credit, found))) return giveUp(tools, credit, 'PAID_TWICE');
  if (await isReversed(tools, credit)) return takeBack(tools, credit, found);
  const effect = await settleByCredit(tools, found.tenant, found);
  if (effect === 'WAITS') return postpone(tools, credit);
  if (effect === 'NOT_PAID') return endOfFailed(tools, credit);
  const toStatus = creditLifecycle.next(credit.status, 'matched') ?? credit.status;
  const values = { creditId: credit.credit_id, fromStatus: credit.status, toStatus };
  await tools.database.system(matchCreditRow, values);
  metrics.add('florin_credits_matched_total', 1, { by: found.matchedBy });
  return true;
};

/**
 * Its money has gone again, so its payment is reversed, too, once its bank has accepted it and no second
 * credit came.
 */
const takeBack = async (tools: CreditTools, credit: CreditRow, found: Found): Promise<boolean> => {
  const { tenant, attemptId } = found;
  const awaitedMs = await awaitSecondCredit(tools, tenant, attemptId, credit.amount_pence);
  if (awaitedMs > 0) return postpone(tools, credit, null, awaitedMs);
  if (!(await isReserved(tools, credit, null))) return postpone(tools, credit);
  const effect = await reverseByDebit(tools, found.tenant, found);
  if (effect === 'WAITS') return postpone(tools, credit);
  await reverseCredit(tools, credit);
  return true;
};

/** A payment that its bank reversed after the money had arrived: the debit comes at once or soon. */
const endOfFailed = (tools: CreditTools, credit: CreditRow): Promise<boolean> =>
  credit.tries < maxTries ? postpone(tools, credit) : giveUp(tools, credit, 'PAYMENT_FAILED');

type Found = PaymentOfCredit & { readonly amountPence: bigint };

const findPayment = async (tools: CreditTools, credit: CreditRow): Promise<Found | null> => {
  if (credit.is_returned) return null;
  if (credit.end_to_end_id) return findById(tools, credit, credit.end_to_end_id);
  const { attempt_id: attemptId, merchant_id: merchantId, payment_request_id: linkedId } = credit;
  const { amount_pence: amountPence } = credit;
  const matchedBy = 'AMOUNT_AND_NAME' as const;
  if (attemptId && merchantId && linkedId) {
    const tenant = { merchantId, environment: credit.environment };
    return { tenant, paymentRequestId: linkedId, attemptId, matchedBy, amountPence };
  }
  if (!credit.payer_name?.trim()) return null;
  const candidates = await tools.database.system(findCandidates, {
    environment: credit.environment,
    amountPence: amountPence.toString(),
    payerName: credit.payer_name,
  });
  const [only, another] = candidates;
  if (!only || another) return null;
  const tenant = tenantOf(only);
  const { payment_request_id: paymentRequestId } = only;
  return { tenant, paymentRequestId, attemptId: only.attempt_id, matchedBy, amountPence };
};

const findById = async (
  tools: CreditTools,
  { environment }: CreditRow,
  endToEndId: string,
): Promise<Found | null> => {
  const found = await findPaymentOfId(tools, environment, endToEndId);
  return found && { ...found, matchedBy: 'END_TO_END_ID' };
};

/** False: the payment has another credit already. */
export const isLinked = async (
  { database }: Uses<'database'>,
  { credit_id: creditId, status: fromStatus }: CreditRow,
  { tenant, paymentRequestId, attemptId, matchedBy }: PaymentOfCredit,
): Promise<boolean> => {
  const values = { creditId, fromStatus, ...tenant, paymentRequestId, attemptId, matchedBy };
  try {
    return (await database.system(linkCredit, values)).length === 1;
  } catch (error) {
    if ((error as { code?: string }).code === '23505') return false;
    throw error;
  }
};

const postpone = async (
  { database }: CreditTools,
  credit: CreditRow,
  error: string | null = null,
  atLatestMs = longestPauseMs,
): Promise<false> => {
  const pauseMs = pausesMs[credit.tries - 1] ?? 1_000 * 2 ** credit.tries;
  const delayMs = Math.ceil(Math.min(pauseMs, longestPauseMs, atLatestMs));
  await database.system(postponeCredit, { creditId: credit.credit_id, delayMs, error });
  return false;
};

/** The case first: killed in between, the next try opens no second one. */
const giveUp = async (tools: CreditTools, credit: CreditRow, reason: string): Promise<true> => {
  const { credit_id: creditId, status: fromStatus } = credit;
  await openCases(tools, [
    {
      kind: 'CREDIT_UNMATCHED',
      subject: creditId,
      description:
        'Money has arrived on the collecting account that no payment explains. Match it to its ' +
        'payment, or send it back.',
      evidence: {
        reason,
        environment: credit.environment,
        pence: credit.amount_pence.toString(),
        bankReference: credit.bank_reference,
        bookedOn: credit.booked_on,
        endToEndId: credit.end_to_end_id,
      },
    },
  ]);
  const toStatus = creditLifecycle.next(fromStatus, 'notExplained') ?? fromStatus;
  await tools.database.system(endCredit, { creditId, fromStatus, toStatus, reason });
  return true;
};

import { resolveCaseOf } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import { type CreditStatus, creditLifecycle } from './credit-lifecycle.ts';
import {
  claimDebits,
  type DueDebit,
  findCreditOf,
  findDebit,
  moveDebit,
  reverseCreditRow,
} from './store/debits.ts';

type Tools = Uses<'database' | 'log'>;

const batchSize = 50;
const leaseMs = 30_000;
/** A report of the credit may come after that of the debit. */
const maxTries = 12;
const longestPauseMs = 10 * 60_000;

/** Ends the credits whose money the bank has debited again (PAYOUT-4). */
export const reverseCredits = async (tools: Tools): Promise<number> => {
  const claimed = await tools.database.system(claimDebits, { limit: batchSize, leaseMs });
  const done = await Promise.all(claimed.map((debit) => tryDebit(tools, debit)));
  return done.filter((isDone) => isDone).length;
};

const tryDebit = async (tools: Tools, debit: DueDebit): Promise<boolean> => {
  try {
    return await applyDebit(tools, debit);
  } catch (error) {
    const { message } = error as Error;
    tools.log.warn({ endToEndId: debit.end_to_end_id, error: message }, 'a debit is taken later');
    return false;
  }
};

const applyDebit = async (tools: Tools, debit: DueDebit): Promise<boolean> => {
  const [credit] = await tools.database.system(findCreditOf, {
    environment: debit.environment,
    endToEndId: debit.end_to_end_id,
    amountPence: debit.amount_pence.toString(),
  });
  if (credit?.status === 'UNMATCHED') await reverseCredit(tools, credit);
  else if (credit?.status === 'REVERSED') await resolveCase(tools, credit);
  // Its payment decides about an OPEN one; a MATCHED one is in the books until its payment fails.
  const isDone = credit ? credit.status !== 'OPEN' : debit.tries >= maxTries;
  const delayMs = isDone ? null : Math.min(1_000 * 2 ** debit.tries, longestPauseMs);
  const { environment, entry_key: entryKey } = debit;
  await tools.database.system(moveDebit, { environment, entryKey, delayMs });
  return isDone;
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

/** The bank credited it under this id and has debited it again. */
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

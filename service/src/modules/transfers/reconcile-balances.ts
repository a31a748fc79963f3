import { type Environment, environments } from '#kernel/environment.ts';
import { openCases, resolveCaseOf } from '#modules/operator-cases/index.ts';
import { DatabaseUnavailable } from '#platform/database/database-unavailable.ts';
import { errorText } from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';
import { type BalanceRow, compareBalance, noteComparison } from './store/bank-balances.ts';

/** A message that explains a difference may still be on its way. */
const defaultPatienceMs = 10 * 60_000;

/** Compares the balance that each bank reported last with our books (PAYOUT-11). */
export const reconcileBalances = async (
  tools: Uses<'database' | 'log'>,
  patienceMs = defaultPatienceMs,
): Promise<number> => {
  await Promise.all(environments.map((environment) => compare(tools, environment, patienceMs)));
  return 0;
};

/** By itself: one that cannot be compared keeps the other environment's waiting for nothing. */
const compare = async (
  tools: Uses<'database' | 'log'>,
  environment: Environment,
  patienceMs: number,
): Promise<void> => {
  try {
    const [row] = await tools.database.system(compareBalance, { environment });
    if (!row) return;
    await reconcile(tools, row, patienceMs);
    await resolveCaseOf(tools, 'BANK_BALANCE_NOT_COMPARED', environment, {
      actor: 'Florin',
      resolution: 'The balance was compared again.',
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const reason = errorText(error);
    tools.log.warn({ environment, error: reason }, 'a balance of the bank is compared later');
    await openCases(tools, [notCompared(environment, reason)]);
  }
};

const notCompared = (environment: Environment, reason: string) => ({
  kind: 'BANK_BALANCE_NOT_COMPARED' as const,
  subject: environment,
  description:
    "The bank's balance of the collecting account could not be compared with our books. It is tried " +
    'each minute, and the case ends by itself when it succeeds.',
  evidence: { environment, reason },
});

const reconcile = async (
  tools: Uses<'database'>,
  row: BalanceRow,
  patienceMs: number,
): Promise<void> => {
  const { environment, named_pence: named } = row;
  const difference = row.balance_pence - row.booked_pence - row.unmatched_pence - row.in_air_pence;
  const isOld = row.difference_pence === difference && row.unchanged_ms >= patienceMs;
  const isNew = difference !== 0n && difference !== named && isOld;
  if (isNew || difference === 0n)
    await resolveCaseOf(tools, 'BANK_BALANCE_DIFFERS', environment, {
      actor: 'Florin',
      resolution: isNew ? 'The difference is another one by now.' : 'The balance agrees again.',
    });
  // The case first: killed in between, the next comparison opens no second one.
  if (isNew) await openCases(tools, [differs(row, difference)]);
  await tools.database.system(noteComparison, {
    ...{ environment, received: row.received },
    differencePence: difference.toString(),
    namedPence: (isNew || difference === 0n ? difference : named).toString(),
    // What a person has resolved is explained.
    isReconciled: difference === 0n || (difference === named && !row.has_case),
  });
};

const differs = (row: BalanceRow, difference: bigint) => ({
  kind: 'BANK_BALANCE_DIFFERS' as const,
  subject: row.environment,
  description:
    "The bank's balance of the collecting account is not that of our books. Compare its statement " +
    'with the payments, refunds and payouts; resolve the case when the difference is explained.',
  evidence: {
    environment: row.environment,
    bankPence: row.balance_pence.toString(),
    booksPence: (row.balance_pence - difference).toString(),
    differencePence: difference.toString(),
    ledgerPence: row.booked_pence.toString(),
    unmatchedPence: row.unmatched_pence.toString(),
    inTheAirPence: row.in_air_pence.toString(),
  },
});

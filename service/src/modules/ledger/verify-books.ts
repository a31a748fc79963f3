import { openCases } from '#modules/operator-cases/index.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import {
  findSnapshotDifferences,
  findUnbalanced,
  insertVerification,
  sumAccounts,
} from './store/verifications.ts';

export type Verification = {
  readonly isBalanced: boolean;
  readonly unbalancedTransactions: readonly string[];
  /** Merchant, environment and account whose snapshot is not the sum of its entries. */
  readonly snapshotDifferences: readonly string[];
  readonly totals: readonly {
    readonly environment: string;
    readonly account: string;
    readonly balancePence: string;
  }[];
};

/**
 * The proof: no transaction has a remainder, all accounts together sum to nothing, each snapshot is the
 * sum of its entries. The result is stored and counted; a break opens an operator case.
 */
export const verifyBooks = async (tools: Uses<'database'>): Promise<Verification> => {
  const started = performance.now();
  const { database } = tools;
  const unbalanced = await database.system(findUnbalanced, {});
  const sums = await database.system(sumAccounts, {});
  const differing = await database.system(findSnapshotDifferences, {});
  const remainder = sums.reduce((sum, { balance_pence }) => sum + balance_pence, 0n);
  const result: Verification = {
    isBalanced: unbalanced.length === 0 && differing.length === 0 && remainder === 0n,
    unbalancedTransactions: unbalanced.map((row) => row.transaction_id),
    snapshotDifferences: differing.map((row) =>
      [row.merchant_id, row.environment, row.account].join(' '),
    ),
    totals: sums.map(({ environment, account, balance_pence }) => ({
      environment,
      account,
      balancePence: balance_pence.toString(),
    })),
  };
  await database.system(insertVerification, {
    unbalanced: unbalanced.length,
    differing: differing.length,
    totals: JSON.stringify(result.totals),
    tookMs: Math.round(performance.now() - started),
  });
  metrics.set('florin_ledger_unbalanced_transactions', unbalanced.length);
  metrics.set('florin_ledger_snapshot_differences', differing.length);
  metrics.set('florin_ledger_remainder_pence', Number(remainder));
  if (!result.isBalanced) await openCases(tools, [brokenBooks(result)]);
  return result;
};

const brokenBooks = ({ unbalancedTransactions, snapshotDifferences }: Verification) => ({
  kind: 'BOOKS_UNBALANCED' as const,
  subject: unbalancedTransactions[0] ?? snapshotDifferences[0] ?? 'totals',
  description: 'The books do not balance. Compare the transactions with their payments.',
  evidence: {
    unbalancedTransactions: unbalancedTransactions.join(', '),
    snapshotDifferences: snapshotDifferences.join(', '),
  },
});

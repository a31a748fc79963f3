import { tenantOf } from '#kernel/environment.ts';
import { openCases, resolveCaseOf } from '#modules/operator-cases/index.ts';
import { metrics } from '#platform/metrics.ts';
import { runInTurn } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { accounts } from './posting.ts';
import { brokenInvariants, type InvariantId } from './store/broken-invariants.ts';
import { ledgerStore } from './store/ledger-store.ts';
import {
  findSnapshotDifferences,
  findUnbalanced,
  insertVerification,
  listTenantsToSnapshot,
  readBankBalances,
  readLastVerification,
  sumAccounts,
} from './store/verifications.ts';

type BrokenInvariant = {
  /** A rule of `docs/rules/money.md`. */
  readonly rule: InvariantId;
  readonly subjects: readonly string[];
};

export type Verification = {
  /** Of sums and of invariants. */
  readonly isBalanced: boolean;
  readonly brokenInvariants: readonly BrokenInvariant[];
  readonly unbalancedTransactions: readonly string[];
  /** Merchant, environment and account whose snapshot is not the sum of its entries. */
  readonly snapshotDifferences: readonly string[];
  readonly totals: readonly {
    readonly environment: string;
    readonly account: string;
    readonly balancePence: string;
  }[];
  /** Of each collecting account; empty where its bank has reported none. */
  readonly bankBalances: readonly {
    readonly environment: string;
    readonly balancePence: string;
    readonly reportedAt: string;
    /** What the bank has more than our books; null: not compared yet. */
    readonly differencePence: string | null;
    readonly reconciledAt: string | null;
    readonly reconciledPence: string | null;
  }[];
};

/**
 * MONEY-22: no transaction has a remainder, all accounts together sum to zero, each snapshot is the
 * sum of its entries, and every invariant of `broken-invariants.ts` holds. The result is stored and
 * counted; a break opens an operator case.
 */
export const verifyBooks = async (tools: Uses<'database'>): Promise<Verification> => {
  const started = performance.now();
  const { database } = tools;
  const unbalanced = await database.system(findUnbalanced, {});
  const sums = await database.system(sumAccounts, {});
  const differing = await database.system(findSnapshotDifferences, {});
  const broken = await findBrokenInvariants(tools);
  const remainder = sums.reduce((sum, { balance_pence }) => sum + balance_pence, 0n);
  const result: Verification = {
    isBalanced:
      unbalanced.length === 0 && differing.length === 0 && remainder === 0n && broken.length === 0,
    brokenInvariants: broken,
    unbalancedTransactions: unbalanced.map((row) => row.transaction_id),
    snapshotDifferences: differing.map((row) =>
      [row.merchant_id, row.environment, row.account].join(' '),
    ),
    totals: sums.map(({ environment, account, balance_pence }) => ({
      environment,
      account,
      balancePence: balance_pence.toString(),
    })),
    bankBalances: (await database.system(readBankBalances, {})).map((row) => ({
      environment: row.environment,
      balancePence: row.balance_pence.toString(),
      reportedAt: row.reported_at.toISOString(),
      differencePence: row.difference_pence?.toString() ?? null,
      reconciledAt: row.reconciled_at?.toISOString() ?? null,
      reconciledPence: row.reconciled_pence?.toString() ?? null,
    })),
  };
  await database.system(insertVerification, {
    unbalanced: unbalanced.length,
    differing: differing.length,
    totals: JSON.stringify(result.totals),
    broken: JSON.stringify(broken),
    tookMs: Math.round(performance.now() - started),
  });
  metrics.set('florin_ledger_unbalanced_transactions', unbalanced.length);
  metrics.set('florin_ledger_snapshot_differences', differing.length);
  metrics.set('florin_ledger_remainder_pence', Number(remainder));
  const sumsBreak = unbalanced.length > 0 || differing.length > 0 || remainder !== 0n;
  await openCases(tools, [...(sumsBreak ? [brokenBooks(result)] : []), ...broken.map(brokenRule)]);
  await resolveCaseOf(tools, 'BOOKS_NOT_VERIFIED', 'books', {
    actor: 'The verification',
    resolution: 'It has ended.',
  });
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

const findBrokenInvariants = async ({
  database,
}: Uses<'database'>): Promise<readonly BrokenInvariant[]> => {
  const broken: BrokenInvariant[] = [];
  for (const rule of Object.keys(brokenInvariants) as InvariantId[]) {
    const rows = await database.system(brokenInvariants[rule], {});
    if (rows.length > 0) broken.push({ rule, subjects: rows.map(({ subject }) => subject) });
  }
  metrics.set('florin_ledger_broken_invariants', broken.length);
  return broken;
};

const brokenRule = ({ rule, subjects }: BrokenInvariant) => ({
  kind: 'BOOKS_BROKEN' as const,
  subject: rule,
  description: `The verification found ${rule} broken. Compare the subjects with their entries and rows.`,
  evidence: { subjects: subjects.join(', ') },
});

const lookEveryMs = 10 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
const verifyEveryMs = dayMs;
const alertAfterMs = 2 * dayMs;
const maxTenants = 200;

export const ledgerJobs = (tools: Uses<'database' | 'ids' | 'log'>) => [
  { name: 'takeLedgerSnapshots', everyMs: lookEveryMs, run: () => takeSnapshots(tools) },
  { name: 'verifyBooks', everyMs: lookEveryMs, run: () => verifyNightly(tools) },
];

/** Once a day for a tenant whose books have changed. One that fails keeps no other waiting. */
export const takeSnapshots = async (tools: Uses<'database' | 'ids' | 'log'>): Promise<number> => {
  const rows = await tools.database.system(listTenantsToSnapshot, {
    from: tools.ids.uuid(),
    limit: maxTenants,
    accounts,
  });
  let taken = 0;
  const ledger = ledgerStore(tools.database);
  const subjectOf = (row: { readonly merchant_id: string }) => row.merchant_id;
  await runInTurn(tools, 'SNAPSHOT', rows, subjectOf, async (row) => {
    const tenant = tenantOf(row);
    taken += (await ledger.takeSnapshots(tenant)).length;
  });
  return taken;
};

/**
 * Once a day: the last verification is recorded in the database. Two workers may both do it, which costs
 * time alone. When none has ended for two days, of whatever cause, the operator gets a case.
 */
const verifyNightly = async (tools: Uses<'database'>): Promise<number> => {
  const [last] = await tools.database.system(readLastVerification, {});
  if (last?.has_ended && last.age_ms < verifyEveryMs) return 0;
  if (last && last.age_ms > alertAfterMs)
    await openCases(tools, [
      {
        kind: 'BOOKS_NOT_VERIFIED',
        subject: 'books',
        description:
          'No verification of the books has ended for two days. Run verify-books, and look for why ' +
          'the job verifyBooks fails.',
        evidence: { days: Math.floor(last.age_ms / dayMs), hasEverEnded: last.has_ended },
      },
    ]);
  await verifyBooks(tools);
  return 0;
};

import { openCases } from '#modules/operator-cases/index.ts';
import { runInTurn } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { accounts } from './posting.ts';
import { ledgerStore } from './store/ledger-store.ts';
import { listTenantsToSnapshot, readLastVerification } from './store/verifications.ts';
import { verifyBooks } from './verify-books.ts';

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
    const tenant = { merchantId: row.merchant_id, environment: row.environment };
    taken += (await ledger.takeSnapshots(tenant)).length;
  });
  return taken;
};

/**
 * One worker, once a day: the last verification is recorded in the database. When none has ended for
 * two days, of whatever cause, the operator gets a case.
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
